import { toAddress } from '../../../../src/scale/address.ts';
import { type DecodedExtrinsic, decodeExtrinsic, signerOf } from '../../../../src/scale/extrinsic.ts';
import { callName } from '../../../../src/scale/names.ts';
import type { RuntimeMeta } from '../../../../src/scale/types.ts';
import { attempt, shortHex } from '../../../kit/text/format.ts';
import { accountName } from '../../../node/accounts.ts';
import type { Answer } from '../../../node/client/ui-node.ts';

export type PoolEntry = Answer<'dev_pool'>['ready'][number];

/** Hashes of a transaction and its dependents; `ready` must be in dependency order. */
export const withDependents = (ready: readonly PoolEntry[], hash: string): ReadonlySet<string> => {
  const left = new Set([hash]);
  const tags = new Set<string>();
  for (const one of ready) {
    if (one.hash !== hash && !one.requires.some((tag) => tags.has(tag))) continue;
    left.add(one.hash);
    for (const tag of one.provides) tags.add(tag);
  }
  return left;
};

/** A pool transaction, decoded for display. */
export type PoolLine = PoolEntry & {
  readonly label: string;
  readonly decoded: DecodedExtrinsic | null;
  /** Why it could not be decoded. */
  readonly fault: string | null;
  readonly signer: string | null;
  readonly nonce: number | null;
};

/** Decodes a pool transaction; if that fails, its bytes and the reason are kept. */
export const readPoolEntry = (meta: RuntimeMeta, entry: PoolEntry): PoolLine => {
  const { value: decoded, fault } = attempt(() => decodeExtrinsic(meta, entry.extrinsic));
  const nonce = decoded?.extensions.find(({ name }) => name === 'CheckNonce')?.value;
  return {
    ...entry,
    label: decoded === null ? 'bytes' : (callName(decoded.call) ?? 'a call'),
    decoded,
    fault,
    signer: decoded && signerOf(decoded),
    nonce: nonce?.kind === 'number' ? Number(nonce.value) : null,
  };
};

/**
 * Readable form of a tag: CheckNonce encodes account and nonce, `Alice nonce 3`; other tags are shown as
 * bytes.
 */
export const tagText = (meta: RuntimeMeta, tag: string): string => {
  if (tag.length !== 2 + 72) return shortHex(tag);
  const id = tag.slice(0, 66);
  const bytes = tag.slice(66).match(/../g) ?? [];
  const nonce = Number.parseInt(bytes.reverse().join(''), 16);
  return `${accountName(id) ?? shortHex(toAddress(id, meta.ss58Prefix), 5, 5)} nonce ${nonce}`;
};

/** The transaction that provides a tag; null if none does. */
export const providerOf = (lines: readonly PoolEntry[], tag: string): PoolEntry | null =>
  lines.find(({ provides }) => provides.includes(tag)) ?? null;
