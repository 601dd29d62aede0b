import { createCursor, takeByte, takeBytes, takeLength } from './cursor.ts';
import { fromHex } from './hex.ts';
import { createRuntimeMeta } from './runtime.ts';
import type { RuntimeMeta } from './types.ts';

/** The part of a node that metadata loading needs. */
export type MetaSource = { request(method: string, params: readonly unknown[]): Promise<unknown> };

/** Storage key of the runtime code. */
const codeKey = '0x3a636f6465';
/** Newest first; state_getMetadata returns version 14 on every runtime. */
const wantedVersions = [16, 15];

/** Reads the `Option<OpaqueMetadata>` that Metadata_metadata_at_version returns. */
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
      break; // older runtimes lack this call
    }
  }
  return fromHex(String(await node.request('state_getMetadata', at)));
};

/** Loads the metadata of any block's runtime, once per runtime. */
export type MetaLoader = {
  /** The metadata at this block hash, or at the best block for null; rejects if it cannot be loaded. */
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
      // A failed attempt is not cached.
      loading.catch(() => byCode.delete(code));
      return loading;
    },
  };
};
