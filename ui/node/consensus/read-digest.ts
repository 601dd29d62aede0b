import {
  type Cursor,
  createCursor,
  remaining,
  takeByte,
  takeBytes,
  takeEnd,
  takeLength,
  takeUnsigned,
} from '../../../src/scale/cursor.ts';
import { fromHex, toHex } from '../../../src/scale/hex.ts';
import { digestText } from '../../kit/text/digest.ts';
import { groupDigits } from '../../kit/text/format.ts';

/** An authority and its weight, as BABE and GRANDPA list them. */
export type Authority = { readonly id: string; readonly weight: bigint };

/** How the author obtained the slot. */
export type ClaimKind = 'primary' | 'secondary plain' | 'secondary VRF' | 'round robin';

/** A digest item as text. `fault` is the reason if its bytes cannot be decoded, and null otherwise. */
export type DigestItem = {
  readonly kind: string;
  readonly engine: string | null;
  readonly title: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly authorities: readonly Authority[];
  readonly claim: {
    readonly slot: number;
    readonly authority: number | null;
    readonly kind: ClaimKind;
  } | null;
  readonly fault: string | null;
};

type Reading = Omit<DigestItem, 'kind' | 'engine' | 'fault'>;
const say = (title: string, more: Partial<Reading> = {}): Reading => ({
  title,
  facts: [],
  authorities: [],
  claim: null,
  ...more,
});

/** An item that this page does not know cannot be checked either. */
const sayUnknown = (cursor: Cursor, title: string): Reading => {
  takeBytes(cursor, remaining(cursor));
  return say(title);
};

const u32 = (cursor: Cursor): number => Number(takeUnsigned(cursor, 4));
const u64 = (cursor: Cursor): number => Number(takeUnsigned(cursor, 8));

/** `Vec<(AuthorityId, Weight)>`. */
export const takeAuthorities = (cursor: Cursor): readonly Authority[] =>
  Array.from({ length: takeLength(cursor, 40) }, () => ({
    id: toHex(takeBytes(cursor, 32)),
    weight: takeUnsigned(cursor, 8),
  }));

/** Variants of sp_consensus_babe::digests::PreDigest. */
const babeKinds: Readonly<Record<number, ClaimKind>> = {
  1: 'primary',
  2: 'secondary plain',
  3: 'secondary VRF',
};

const readBabeClaim = (cursor: Cursor): Reading => {
  const kind = babeKinds[takeByte(cursor)];
  if (kind === undefined) return sayUnknown(cursor, 'a claim of an unknown kind');
  const authority = u32(cursor);
  const slot = u64(cursor);
  const facts =
    kind === 'secondary plain'
      ? []
      : ([
          ['VRF output', toHex(takeBytes(cursor, 32))],
          ['VRF proof', toHex(takeBytes(cursor, 64))],
        ] as const);
  return say(`slot ${groupDigits(slot)}, ${kind} claim of authority ${authority}`, {
    facts,
    claim: { slot, authority, kind },
  });
};

/** sp_consensus_babe::ConsensusLog. */
const readBabeLog = (cursor: Cursor): Reading => {
  const variant = takeByte(cursor);
  if (variant === 1) {
    const authorities = takeAuthorities(cursor);
    return say('next epoch', { authorities, facts: [['randomness', toHex(takeBytes(cursor, 32))]] });
  }
  if (variant === 2) return say(`authority ${u32(cursor)} disabled`);
  if (variant !== 3) return sayUnknown(cursor, `consensus log ${variant}`);
  takeByte(cursor);
  const share = `${u64(cursor)}/${u64(cursor)}`;
  const slots = ['primary', 'primary and secondary plain', 'primary and secondary VRF'][takeByte(cursor)];
  return say('next configuration', {
    facts: [
      ['primary slots', share],
      ['allowed', slots ?? 'unknown'],
    ],
  });
};

/** sp_consensus_grandpa::ConsensusLog. */
const readGrandpaLog = (cursor: Cursor): Reading => {
  const variant = takeByte(cursor);
  const change = (facts: Reading['facts']): Reading => {
    const authorities = takeAuthorities(cursor);
    return say(variant === 1 ? 'authority change' : 'forced authority change', {
      authorities,
      facts: [...facts, ['after', `${u32(cursor)} blocks`]],
    });
  };
  if (variant === 1) return change([]);
  if (variant === 2) return change([['median last finalized', `#${u32(cursor)}`]]);
  if (variant === 3) return say(`voter ${u64(cursor)} disabled`);
  if (variant === 4) return say(`voters pause after ${u32(cursor)} blocks`);
  if (variant === 5) return say(`voters resume after ${u32(cursor)} blocks`);
  return sayUnknown(cursor, `consensus log ${variant}`);
};

const readPayload = (kind: string, engine: string, cursor: Cursor): Reading => {
  if (kind === 'seal') return sayUnknown(cursor, `signature of ${remaining(cursor)} bytes`);
  if (kind === 'pre-runtime' && engine === 'BABE') return readBabeClaim(cursor);
  if (kind === 'pre-runtime' && engine === 'aura') {
    const slot = u64(cursor);
    return say(`slot ${groupDigits(slot)}`, { claim: { slot, authority: null, kind: 'round robin' } });
  }
  if (kind === 'consensus' && engine === 'BABE') return readBabeLog(cursor);
  if (kind === 'consensus' && engine === 'FRNK') return readGrandpaLog(cursor);
  return sayUnknown(cursor, `${remaining(cursor)} bytes`);
};

/** Decodes one digest item (0x text). One that cannot be decoded keeps its kind, and `fault` says why. */
export const readDigestItem = (log: string): DigestItem => {
  const { kind, engine } = digestText(log);
  try {
    const cursor = createCursor(fromHex(log), 1);
    if (engine === null) return { kind, engine, fault: null, ...say(`${(log.length - 4) / 2} bytes`) };
    takeBytes(cursor, 4);
    const payload = createCursor(takeBytes(cursor, takeLength(cursor, 1)));
    takeEnd(cursor);
    const reading = readPayload(kind, engine, payload);
    takeEnd(payload);
    return { kind, engine, fault: null, ...reading };
  } catch (error) {
    return { kind, engine, fault: error instanceof Error ? error.message : String(error), ...say('bytes') };
  }
};

/** The slot claim in a header's digest; null if there is none. */
export const claimOf = (logs: readonly string[]): DigestItem['claim'] => {
  for (const log of logs) {
    if (!log.startsWith('0x06')) continue;
    const { claim } = readDigestItem(log);
    if (claim !== null) return claim;
  }
  return null;
};
