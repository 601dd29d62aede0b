import { createCursor, takeByte, takeBytes, takeLength } from './cursor.ts';
import { fromHex } from './hex.ts';
import { createRuntimeMeta } from './runtime.ts';
import type { RuntimeMeta } from './types.ts';

/** What loading needs of a node. */
export type MetaSource = { request(method: string, params: readonly unknown[]): Promise<unknown> };

/** Key of the runtime's code. */
const codeKey = '0x3a636f6465';
/** Newest first; 14 is what state_getMetadata answers everywhere. */
const wantedVersions = [16, 15];

/** An `Option<OpaqueMetadata>` as Metadata_metadata_at_version answers it. */
const readVersioned = (answer: string): Uint8Array | null => {
  const cursor = createCursor(fromHex(answer));
  if (takeByte(cursor) !== 1) return null;
  return takeBytes(cursor, takeLength(cursor, 1));
};

const loadBytes = async (node: MetaSource, hash: string | null): Promise<Uint8Array> => {
  const at = hash === null ? [] : [hash];
  for (const version of wantedVersions) {
    const input = `0x${version.toString(16).padStart(2, '0')}000000`;
    try {
      const answer = await node.request('state_call', ['Metadata_metadata_at_version', input, ...at]);
      const bytes = readVersioned(String(answer));
      if (bytes !== null) return bytes;
    } catch {
      break; // an older runtime has no such call
    }
  }
  return fromHex(String(await node.request('state_getMetadata', at)));
};

/** The metadata of any block's runtime, each runtime's read once. */
export type MetaLoader = {
  /** Of the block with this hash, or of the best block; rejects when the node or the metadata fails. */
  at(hash: string | null): Promise<RuntimeMeta>;
};

export const createMetaLoader = (node: MetaSource): MetaLoader => {
  const byCode = new Map<string, Promise<RuntimeMeta>>();
  return {
    at: async (hash) => {
      const code = String(
        await node.request('state_getStorageHash', hash === null ? [codeKey] : [codeKey, hash]),
      );
      const known = byCode.get(code);
      if (known) return known;
      const loading = loadBytes(node, hash).then(createRuntimeMeta);
      byCode.set(code, loading);
      // A failed try is not kept.
      loading.catch(() => byCode.delete(code));
      return loading;
    },
  };
};
