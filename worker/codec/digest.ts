import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToKey, keyToBytes } from '../bytes/bytes.ts';
import { decodeWhole, type Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';

/** A digest item like sp-runtime's `DigestItem`. `engine` has one character for each of its four bytes. */
export type DigestItem =
  | { readonly kind: 'other'; readonly data: Uint8Array }
  | { readonly kind: 'consensus' | 'seal' | 'preRuntime'; readonly engine: string; readonly data: Uint8Array }
  | { readonly kind: 'runtimeEnvironmentUpdated' }
  | { readonly kind: 'changesTrieRoot'; readonly data: Uint8Array };

const engineKinds = { 4: 'consensus', 5: 'seal', 6: 'preRuntime' } as const;
const engineTags = { consensus: 4, seal: 5, preRuntime: 6 } as const;

export const readDigestItem = (reader: Reader): DigestItem => {
  const tag = reader.u8();
  if (tag === 4 || tag === 5 || tag === 6) {
    const engine = bytesToKey(reader.take(4));
    return { kind: engineKinds[tag], engine, data: reader.vecBytes() };
  }
  if (tag === 0) return { kind: 'other', data: reader.vecBytes() };
  if (tag === 2) return { kind: 'changesTrieRoot', data: reader.take(32) };
  if (tag === 8) return { kind: 'runtimeEnvironmentUpdated' };
  throw new NodeError('BadScale', `${tag} is not a digest item`);
};

/** Throws `BadScale` unless the bytes are exactly one item. */
export const decodeDigestItem = (bytes: Uint8Array): DigestItem => decodeWhole(bytes, readDigestItem);

export const encodeEngineItem = (
  kind: 'consensus' | 'seal' | 'preRuntime',
  engine: string,
  data: Uint8Array,
): Uint8Array => new Writer().u8(engineTags[kind]).raw(keyToBytes(engine)).vecBytes(data).finish();

/** The payload of the first item with this kind and engine, or null. */
export const findDigest = (
  digest: readonly Uint8Array[],
  kind: 'consensus' | 'seal' | 'preRuntime',
  engine: string,
): Uint8Array | null => {
  for (const bytes of digest) {
    if (bytes[0] !== engineTags[kind]) continue;
    const item = decodeDigestItem(bytes);
    if (item.kind === kind && item.engine === engine) return item.data;
  }
  return null;
};

export const isSeal = (item: Uint8Array): boolean => item[0] === engineTags.seal;
