import { writeJson } from '../../../src/protocol/json.ts';
import { readAccount, toAddress } from '../../../src/scale/address.ts';
import { decodeValue } from '../../../src/scale/decode.ts';
import { encodeJson } from '../../../src/scale/encode.ts';
import { decodeExtrinsic } from '../../../src/scale/extrinsic.ts';
import { extrinsicHash } from '../../../src/scale/hash.ts';
import { fromHex, readHex, toHex } from '../../../src/scale/hex.ts';
import { callName, eventName } from '../../../src/scale/names.ts';
import { encodeKey, explainKey, storageEntry } from '../../../src/scale/storage.ts';
import type { Decoded, RuntimeMeta } from '../../../src/scale/types.ts';
import { linkTo, linkWith } from '../../kit/page/route.svelte.ts';
import { attempt, countText, groupDigits, hexSize, shortHex } from '../../kit/text/format.ts';
import { accountName, devAccounts, ownAccounts, stashAccounts } from '../../node/accounts.ts';

/** A possible meaning of the typed data, and a link to it. */
export type Guess = {
  readonly label: string;
  readonly hint: string;
  readonly link: string;
  /** Whether it is known to be this: the node or the metadata has it, or a checksum confirms it. */
  readonly isSure?: boolean;
};

/** What the node knows of the typed data. */
export type Known = {
  /** Whether it has a block with this hash; null until known. */
  readonly isBlock: boolean | null;
  /** Whether its best state has an account with this id; null until known. */
  readonly isAccount: boolean | null;
  /** Number of the best block; infinite until known. */
  readonly best: number;
};

const tryDecode = (read: () => Guess | null): readonly Guess[] => {
  try {
    const guess = read();
    return guess === null ? [] : [guess];
  } catch {
    return [];
  }
};

const named = (value: Decoded, name: (value: Decoded) => string | null): string => name(value) ?? 'a value';

const guessBytes = (meta: RuntimeMeta, hex: string): readonly Guess[] => {
  const decode = (type: number | null) => (type === null ? null : decodeValue(meta, type, fromHex(hex)));
  return [
    ...tryDecode(() => {
      const extrinsic = decodeExtrinsic(meta, hex);
      return {
        label: `Extrinsic ${named(extrinsic.call, callName)}`,
        hint: `${extrinsic.kind}, hash ${shortHex(extrinsicHash(hex))}`,
        link: linkTo('chain', 'tx', extrinsicHash(hex)),
      };
    }),
    ...tryDecode(() => {
      const call = decode(meta.callType);
      return (
        call && {
          label: `Call ${named(call, callName)}`,
          hint: 'open in the call builder',
          link: linkWith({ call: hex }, 'send'),
        }
      );
    }),
    ...tryDecode(() => {
      const event = decode('outerEnums' in meta.metadata ? meta.metadata.outerEnums.event : null);
      return (
        event && {
          label: `Event ${named(event, eventName)}`,
          hint: 'decode it',
          link: linkWith({ event: hex }, 'runtime', 'decode'),
        }
      );
    }),
  ];
};

const guessKey = (meta: RuntimeMeta, hex: string): readonly Guess[] => {
  const meaning = explainKey(meta, hex);
  const link = linkWith({ key: hex }, 'storage', 'key');
  const guess = (label: string, hint = 'this key') => [{ label, hint, link, isSure: true }];
  switch (meaning.kind) {
    case 'entry':
      return guess(`Storage ${meaning.entry.pallet}.${meaning.entry.name}`);
    case 'pallet':
      return guess(`Storage of ${meaning.pallet}`);
    case 'known':
      return guess(`Storage ${meaning.name}`, meaning.docs);
    case 'child':
      return guess(`Child trie ${shortHex(meaning.id)}`);
    case 'unknown':
      return [];
  }
};

/** The account's state, and a transfer to it. */
const accountGuesses = (meta: RuntimeMeta | null, name: string, id: string): readonly Guess[] => {
  const address = toAddress(id, meta?.ss58Prefix ?? 42);
  const dest = { Id: address };
  return [
    {
      label: `Account ${name || shortHex(address, 6, 6)}`,
      hint: 'balance, nonce and the rest of System.Account',
      link: linkTo('storage', 'System', 'Account', writeJson([address])),
    },
    ...tryDecode(() => {
      if (meta === null || meta.callType === null) return null;
      const call = { Balances: { transfer_keep_alive: { dest, value: 0 } } };
      return {
        label: `Send to ${name || shortHex(address, 6, 6)}`,
        hint: 'build a transfer',
        link: linkWith({ call: toHex(encodeJson(meta, meta.callType, call)) }, 'send'),
      };
    }),
  ];
};

const sure = (guesses: readonly Guess[]): readonly Guess[] =>
  guesses.map((guess) => ({ ...guess, isSure: true }));

/** An address has a checksum. */
const guessAddress = (meta: RuntimeMeta | null, text: string): readonly Guess[] => {
  const id = text.length < 40 ? null : readAccount(text);
  return id === null ? [] : sure(accountGuesses(meta, accountName(id) ?? '', id));
};

const guessNames = (meta: RuntimeMeta | null, text: string): readonly Guess[] =>
  text.length < 2
    ? []
    : [...devAccounts, ...stashAccounts, ...ownAccounts()]
        .filter(({ name }) => name.toLowerCase().startsWith(text.toLowerCase()))
        .flatMap(({ name, id }) => sure(accountGuesses(meta, name, id)));

/** Any 32 bytes may be the id of an account: without one in the state, no transfer to it is offered. */
const guessAccountId = (
  meta: RuntimeMeta | null,
  hex: string,
  isAccount: boolean | null,
): readonly Guess[] => {
  const name = accountName(hex);
  const guesses = accountGuesses(meta, name ?? '', hex);
  return name !== null || isAccount === true ? sure(guesses) : guesses.slice(0, 1);
};

/** What bytes without a known meaning may be: the beginning of keys, or a value. */
const guessAnything = (hex: string): readonly Guess[] => [
  {
    label: `Keys that begin with ${shortHex(hex)}`,
    hint: 'list them',
    link: linkWith({ key: hex }, 'storage', 'key'),
  },
  {
    label: `A value of ${countText(hexSize(hex), 'byte')}`,
    hint: 'decode it',
    link: linkWith({ hex }, 'runtime', 'decode'),
  },
];

const guessHex = (meta: RuntimeMeta | null, hex: string, { isBlock, isAccount }: Known): readonly Guess[] => {
  const block = { label: `Block ${shortHex(hex)}`, hint: 'open the block', link: linkTo('chain', hex) };
  if (isBlock) return [{ ...block, isSure: true }];
  const key = meta === null ? [] : guessKey(meta, hex);
  if (key.length > 0) return key;
  const isHash = hexSize(hex) === 32;
  const transaction = {
    label: `Transaction ${shortHex(hex)}`,
    hint: 'find it',
    link: linkTo('chain', 'tx', hex),
  };
  const all = [
    ...(isHash && isBlock === null ? [block] : []),
    ...(isHash ? [transaction, ...guessAccountId(meta, hex, isAccount)] : []),
    ...(meta === null ? [] : guessBytes(meta, hex)),
  ];
  const guesses: readonly Guess[] = all.length === 0 && hexSize(hex) > 0 ? guessAnything(hex) : all;
  return guesses.toSorted((a, b) => Number(b.isSure ?? false) - Number(a.isSure ?? false));
};

/** Whether a text begins like bytes and is none. */
export const isOddHex = (typed: string): boolean =>
  /^0x/i.test(typed.trim()) && readHex(typed.trim()) === null;

/** The key of System.Account for 32 bytes of hex, by which the node tells whether there is such an account; null for others. */
export const accountKey = (meta: RuntimeMeta | null, typed: string): string | null => {
  const text = typed.trim().toLowerCase();
  const entry =
    meta !== null && /^0x[\da-f]{64}$/.test(text) ? storageEntry(meta, 'System', 'Account') : null;
  if (meta === null || entry === null) return null;
  return attempt(() => encodeKey(meta, entry, [text])).value;
};

/** Digits, or groups of three of them: `1,234` is a number of a block, and `1,5` is none. Null for other texts. */
const blockNumber = (text: string): string | null => {
  const [, number = ''] = /^(?:block\s*)?#?\s*(\d+|\d{1,3}(?:[\s,_]\d{3})+)$/i.exec(text) ?? [];
  const digits = number.replace(/\D/g, '');
  return /^\d{1,10}$/.test(digits) ? digits : null;
};

/**
 * Possible meanings of a text: the name of an account, a block number, a hash, an address, a key, or the hex
 * of a call, an event or an extrinsic. What is known comes first.
 */
export const guessData = (meta: RuntimeMeta | null, typed: string, known: Known): readonly Guess[] => {
  const text = typed.trim();
  const number = blockNumber(text);
  if (number !== null)
    return [
      {
        label: `Block #${number}`,
        hint:
          Number(number) > known.best
            ? `not yet: the best one is #${groupDigits(known.best)}`
            : 'open the block',
        link: linkTo('chain', Number(number)),
        isSure: true,
      },
    ];
  const isHex = /^0x/i.test(text) && readHex(text) !== null;
  if (!isHex) return [...guessNames(meta, text), ...guessAddress(meta, text)];
  return guessHex(meta, text.toLowerCase(), known);
};
