import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { decodeHeader } from '../../worker/codec/header.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { createOrigin, type OriginOptions } from '../../worker/origin/origin.ts';
import { createBackend } from '../../worker/state/backend.ts';
import { createProofSource } from '../../worker/trie/node-source.ts';

/** An origin over the sockets of this machine. */
export const openRealOrigin = async (
  endpoints: OriginOptions['endpoints'],
  options?: Partial<OriginOptions>,
) => {
  const { blake2b256, twox128 } = await loadCrypto();
  const errors: unknown[] = [];
  const origin = createOrigin(
    {
      blake2b256,
      now: () => Date.now(),
      schedule: (ms, run) => {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
      fetch: globalThis.fetch,
      WebSocket: globalThis.WebSocket,
      onError: (error) => errors.push(error),
    },
    { ...options, endpoints },
  );
  const headerAt = async (hash: Uint8Array) => {
    const header = await origin.header(hash);
    if (header === null) throw new Error(`The origin does not know ${bytesToHex(hash)}`);
    return decodeHeader(header);
  };
  return {
    origin,
    errors,
    headerAt,
    /** The key of an item of a pallet. */
    itemKey: (pallet: string, item: string): Uint8Array =>
      hexToBytes(
        bytesToHex(twox128(new TextEncoder().encode(pallet))) +
          bytesToHex(twox128(new TextEncoder().encode(item))).slice(2),
      ),
    hash: blake2b256,
    /** Values in the state of a block, read from a proof of it and nothing else. */
    read: async (at: Uint8Array, keys: readonly Uint8Array[]) => {
      const nodes = await origin.nodes(at, [{ child: null, keys }], []);
      const { stateRoot } = await headerAt(at);
      const source = createProofSource(blake2b256, nodes);
      const backend = createBackend({ blake2b256, source }, stateRoot);
      return keys.map((key) => backend.get(key));
    },
  };
};
