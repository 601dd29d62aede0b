import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToKey } from '../bytes/bytes.ts';
import { decodeWhole, type Reader } from '../bytes/reader.ts';
import { type DigestItem, decodeDigestItem } from '../codec/digest.ts';

/**
 * A block's place in a bundle: the blocks of a parachain that one collator builds for one core and one block
 * of the relay chain, and that are proven together (cumulus-primitives-core, `CumulusDigestItem`).
 */
export type BundlePlace = {
  /** The encoded `CoreInfo`. */
  readonly core: string;
  /** From 0 to 255. */
  readonly index: number;
  /**
   * The engine and content of the digest item that names the block of the relay chain, by its hash or its
   * state root.
   */
  readonly relayBlock: string;
};

const cumulus = 'CMLS';
const relayStateRoot = 'RPSR';

/** What the bytes are exactly; null if they are something else. */
const decoded = <T>(bytes: Uint8Array, read: (reader: Reader) => T | null): T | null => {
  try {
    return decodeWhole(bytes, read);
  } catch (error) {
    if (error instanceof NodeError && error.code === 'BadScale') return null;
    throw error;
  }
};

/** `CoreSelector(u8)`, `ClaimQueueOffset(u8)`, `Compact<u16>`. */
const readCore = (reader: Reader): string | null => {
  const isCore = reader.u8() === 1;
  const core = bytesToKey(reader.bytes.subarray(1));
  reader.skip(2);
  return reader.compact() <= 0xffff && isCore ? core : null;
};

const readIndex = (reader: Reader): number | null => {
  const isPlace = reader.u8() === 2;
  const index = reader.u8();
  reader.bool();
  return isPlace ? index : null;
};

const readRelayHash = (reader: Reader): string | null =>
  reader.u8() === 0 ? cumulus + bytesToKey(reader.take(32)) : null;

const readRelayRoot = (reader: Reader): string => {
  reader.skip(32);
  reader.compact();
  return relayStateRoot + bytesToKey(reader.bytes);
};

type EngineItem = Extract<DigestItem, { engine: string }>;

const relayBlockOf = ({ engine, data }: EngineItem): string | null => {
  if (engine === cumulus) return decoded(data, readRelayHash);
  return engine === relayStateRoot ? decoded(data, readRelayRoot) : null;
};

const firstOf = <T>(items: readonly EngineItem[], read: (item: EngineItem) => T | null): T | null => {
  for (const item of items) {
    const found = read(item);
    if (found !== null) return found;
  }
  return null;
};

/** Where a block with this digest is in a bundle; null if it says so incompletely or not at all. */
export const readBundlePlace = (digest: readonly Uint8Array[]): BundlePlace | null => {
  const items = digest.map(decodeDigestItem);
  const before = items.filter(
    (item) => item.kind === 'preRuntime' && item.engine === cumulus,
  ) as EngineItem[];
  const core = firstOf(before, ({ data }) => decoded(data, readCore));
  const index = firstOf(before, ({ data }) => decoded(data, readIndex));
  const later = items.filter((item) => item.kind === 'consensus') as EngineItem[];
  const relayBlock = firstOf(later, relayBlockOf);
  return core === null || index === null || relayBlock === null ? null : { core, index, relayBlock };
};

/**
 * Whether a block continues the bundle of its parent (cumulus-client-consensus-aura,
 * `slot_based/block_import.rs`, `get_ignored_nodes`).
 */
export const continuesBundle = (parent: BundlePlace, child: BundlePlace): boolean =>
  parent.relayBlock === child.relayBlock &&
  parent.core === child.core &&
  Math.min(parent.index + 1, 255) === child.index;
