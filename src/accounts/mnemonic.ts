import { mnemonicToEntropy } from '@polkadot/util-crypto/mnemonic';
import { entropyToMnemonic } from '@polkadot/util-crypto/mnemonic/bip39';
import english from '@polkadot/util-crypto/mnemonic/wordlists/en';
import { NodeError } from '../protocol/errors.ts';

export const languages = [
  'english',
  'chineseSimplified',
  'chineseTraditional',
  'french',
  'italian',
  'japanese',
  'korean',
  'spanish',
] as const;
export type Language = (typeof languages)[number];

export const wordCounts: readonly number[] = [12, 15, 18, 21, 24];

/** A mnemonic with its words separated by single spaces, and its entropy of 16 to 32 bytes (BIP-39). */
export type Phrase = { readonly words: string; readonly entropy: Uint8Array; readonly language: Language };

type WordList = { readonly language: Language; readonly words: readonly string[] };

/** The English list, which is part of the library's code anyway; the others are loaded with the first phrase that needs one. */
const loadList = async (language: Language): Promise<WordList> => {
  if (language === 'english') return { language, words: english };
  const lists = await import('@polkadot/util-crypto/mnemonic/wordlists');
  return { language, words: lists[language].map((word) => word.normalize('NFKD')) };
};

const bad = (message: string, details: Record<string, unknown> = {}): NodeError =>
  new NodeError('BadKey', message, { details });

/**
 * The words of a text: any white space separates them, and letters that Unicode considers compatible are the same
 * (the crate bip39, `Mnemonic::parse_in`).
 */
export const splitPhrase = (text: string): readonly string[] =>
  text
    .normalize('NFKD')
    .split(/\p{White_Space}+/u)
    .filter((word) => word !== '');

/** More wrong words than this are no slips, so the text is something else, and perhaps another secret. */
const mostNamed = 2;
/** No list has a longer word. */
const longestNamed = 20;

/** Names the words that keep a phrase from being one of the language that most of its words are from. */
const typoFault = (words: readonly string[], lists: readonly WordList[]): NodeError => {
  const wrongIn = (list: WordList) =>
    words.flatMap((word, at) => (list.words.includes(word) ? [] : [{ word, place: at + 1 }]));
  const [best] = lists
    .map((list) => ({ language: list.language, wrong: wrongIn(list) }))
    .sort((one, other) => one.wrong.length - other.wrong.length);
  const { language, wrong } = best ?? { language: 'english', wrong: [] };
  if (wrong.length > mostNamed || wrong.some(({ word }) => word.length > longestNamed))
    return bad('The phrase is not made of the words of a BIP-39 word list.');
  const named = wrong.map(({ word, place }) => `word ${place}, "${word}",`).join(' and ');
  const verb = wrong.length === 1 ? 'is' : 'are';
  return bad(
    `${named.charAt(0).toUpperCase()}${named.slice(1)} ${verb} not in the word list (${language}). Check the spelling.`,
    {
      words: wrong.map(({ word }) => word),
    },
  );
};

const entropyOf = (words: string, list: WordList): Uint8Array | null => {
  try {
    return mnemonicToEntropy(words, [...list.words]);
  } catch {
    return null;
  }
};

/** Finds the list that all words are from. Throws `BadKey`, and names the words that are mistyped. */
export const readPhrase = async (text: string): Promise<Phrase> => {
  const split = splitPhrase(text);
  if (!wordCounts.includes(split.length))
    throw bad(`A phrase has 12, 15, 18, 21 or 24 words, not ${split.length}.`);
  const words = split.join(' ');
  const lists: WordList[] = [];
  let isKnown = false;
  for (const language of languages) {
    const list = await loadList(language);
    lists.push(list);
    if (!split.every((word) => list.words.includes(word))) continue;
    isKnown = true;
    // Some words are in two lists, so that another language may fit as well.
    const entropy = entropyOf(words, list);
    if (entropy !== null) return { words, entropy, language };
  }
  if (!isKnown) throw typoFault(split, lists);
  throw bad(
    'The checksum of the phrase does not match: a word was replaced by another one, or the order is wrong.',
  );
};

/** A new phrase of 12 to 24 words, from the platform's random numbers. Throws `BadKey` for another number of words. */
export const generatePhrase = async (count: number, language: Language = 'english'): Promise<string> => {
  if (!wordCounts.includes(count)) throw bad(`A phrase has 12, 15, 18, 21 or 24 words, not ${count}.`);
  const { words } = await loadList(language);
  const entropy = globalThis.crypto.getRandomValues(new Uint8Array((count * 4) / 3));
  try {
    return entropyToMnemonic(entropy, [...words]);
  } finally {
    entropy.fill(0);
  }
};
