import type { Command } from './commands.ts';

const maxShown = 60;

/** What is typed into the palette is looked for in the page’s own commands first, then in the runtime, then among the methods. */
const weights: Readonly<Record<string, number>> = {
  Do: 0,
  'Go to': 1,
  Chains: 2,
  Storage: 5,
  Calls: 5,
  RPC: 8,
};

/** The words of a name in lower case: `state_getMetadata` has state, get and metadata. */
const wordsOf = (text: string): readonly string[] =>
  text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

type Searched = {
  readonly command: Command;
  readonly name: string;
  readonly words: readonly string[];
  /** The other words that find it. */
  readonly more: readonly string[];
  readonly all: string;
};

const searched = new WeakMap<Command, Searched>();
const searchedOf = (command: Command): Searched => {
  const known = searched.get(command);
  if (known !== undefined) return known;
  const { label, group, hint, words = '' } = command;
  const next = {
    command,
    name: label.toLowerCase(),
    words: wordsOf(label),
    more: words.toLowerCase().split(/\s+/).filter(Boolean),
    all: `${label} ${group} ${words} ${group === 'Go to' ? hint : ''}`.toLowerCase(),
  };
  searched.set(command, next);
  return next;
};

/** How well a typed word fits, less is better; null if it does not. */
const rate = ({ name, words, more, all }: Searched, typed: string): number | null => {
  if (name === typed) return 0;
  const at = words.indexOf(typed);
  // The earlier in the name, the more it is about this: `transfer_all` before `force_transfer`.
  if (at >= 0) return 10 + 2 * at;
  if (more.includes(typed)) return 10;
  const from = words.findIndex((word) => word.startsWith(typed));
  if (from >= 0) return 14 + 2 * from;
  if (more.some((word) => word.startsWith(typed))) return 14;
  return all.includes(typed) ? 40 : null;
};

/** How well a command fits all typed words, less is better; null if it does not. */
const rankOf = (command: Command, words: readonly string[]): number | null => {
  const one = searchedOf(command);
  const fits = words.map((word) => rate(one, word));
  if (fits.includes(null)) return null;
  // Calls and methods that need special rights are looked for less.
  const special = /(^|\.|_)(force|unsafe)_/.test(one.name) ? 6 : 0;
  return fits.reduce<number>((sum, next) => sum + (next ?? 0), weights[command.group] ?? 9) + special;
};

const typedWords = (typed: string): readonly string[] => typed.toLowerCase().split(/\s+/).filter(Boolean);

/** The commands that fit every typed word, best first. */
export const rankCommands = (commands: readonly Command[], typed: string): readonly Command[] => {
  const words = typedWords(typed);
  if (words.length === 0) return commands.slice(0, 24);
  return commands
    .flatMap((command) => {
      const rank = rankOf(command, words);
      return rank === null ? [] : [{ command, rank }];
    })
    .sort((a, b) => a.rank - b.rank)
    .slice(0, maxShown)
    .map(({ command }) => command);
};

/**
 * Whether nothing of the runtime or of the node's methods, which the page may still read, would be before the command. Only
 * a word with a dot or an underscore can be the whole name of one of them.
 */
export const isFirstForSure = (command: Command, typed: string): boolean => {
  const words = typedWords(typed);
  const least = words.reduce((sum, word) => sum + (/[._]/.test(word) ? 0 : 10), weights['Storage'] ?? 0);
  return (rankOf(command, words) ?? Infinity) <= least;
};
