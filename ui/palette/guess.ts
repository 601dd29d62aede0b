import { writeJson } from '../../src/protocol/json.ts';
import { readAccount, toAddress } from '../meta/address.ts';
import { decodeValue } from '../meta/decode.ts';
import { encodeJson } from '../meta/encode.ts';
import { decodeExtrinsic } from '../meta/extrinsic.ts';
import { extrinsicHash } from '../meta/hash.ts';
import { fromHex, readHex, toHex } from '../meta/hex.ts';
import { callName, eventName } from '../meta/names.ts';
import { explainKey } from '../meta/storage.ts';
import type { Decoded, RuntimeMeta } from '../meta/types.ts';
import { linkTo, linkWith } from '../page/route.svelte.ts';
import { accountName, devAccounts, ownAccounts, stashAccounts } from '../state/accounts.ts';
import { groupDigits, shortHex } from '../text/format.ts';

/** A possible meaning of the typed data, and a link to it. */
export type Guess = { readonly label: string; readonly hint: string; readonly link: string };

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
  const guess = (label: string, hint = 'this key') => [{ label, hint, link }];
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

const guessAccount = (meta: RuntimeMeta | null, text: string): readonly Guess[] => {
  const id = text.length < 40 ? null : readAccount(text);
  return id === null ? [] : accountGuesses(meta, accountName(id) ?? '', id);
};

const guessNames = (meta: RuntimeMeta | null, text: string): readonly Guess[] =>
  text.length < 2
    ? []
    : [...devAccounts, ...stashAccounts, ...ownAccounts()]
        .filter(({ name }) => name.toLowerCase().startsWith(text.toLowerCase()))
        .flatMap(({ name, id }) => accountGuesses(meta, name, id));

/**
 * Possible meanings of a text: the name of an account, a block number, a hash, an address, a key, or the hex
 * of a call, an event or an extrinsic. `isBlock`: whether the node has a block with this hash; null until
 * known. `best`: number of the best block; infinite until known.
 */
export const guessData = (
  meta: RuntimeMeta | null,
  typed: string,
  isBlock: boolean | null,
  best: number,
): readonly Guess[] => {
  const text = typed.trim();
  const number = text.replace(/^#/, '').replace(/[\s,_]/g, '');
  if (/^\d{1,10}$/.test(number))
    return [
      {
        label: `Block #${number}`,
        hint: Number(number) > best ? `not yet: the best one is #${groupDigits(best)}` : 'open the block',
        link: linkTo('chain', Number(number)),
      },
    ];
  const bytes = /^0x/i.test(text) ? readHex(text) : null;
  if (bytes === null) return [...guessNames(meta, text), ...guessAccount(meta, text)];
  const hex = text.toLowerCase();
  const block = { label: `Block ${shortHex(hex)}`, hint: 'open the block', link: linkTo('chain', hex) };
  if (isBlock) return [block];
  const hash =
    bytes.length === 32
      ? [
          ...(isBlock === null ? [block] : []),
          { label: `Transaction ${shortHex(hex)}`, hint: 'find it', link: linkTo('chain', 'tx', hex) },
        ]
      : [];
  if (meta === null || bytes.length === 0) return hash;
  return [...hash, ...guessKey(meta, hex), ...guessAccount(meta, text), ...guessBytes(meta, hex)];
};
