import { createCursor, takeByte, takeBytes, takeLength } from './cursor.ts';
import { upgradeLog } from './digest.ts';
import { fromHex } from './hex.ts';
import { createRuntimeMeta, metadataVersion, toRuntimeMeta } from './runtime.ts';
import type { RuntimeMeta } from './types.ts';

/** The part of a node that metadata loading needs. */
export type MetaSource = { request(method: string, params: readonly unknown[]): Promise<unknown> };

/** How many blocks' runtimes are remembered. */
const mostBlocks = 1000;

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

/** The versions that can be read, and the first one that describes the types it names. */
const [oldest, firstDescribed, newest] = [9, 14, 16];

/** Metadata of a version that this page does not read. */
class UnreadableMetadata extends Error {
  override readonly name = 'UnreadableMetadata';
  /** What the page shows of it. */
  readonly explained: string;

  constructor(version: number) {
    super(`Metadata version ${version}; versions ${oldest} to ${newest} are read.`);
    const age = version < oldest ? 'older' : 'newer';
    this.explained = `This runtime’s metadata (V${version}) is ${age} than this page reads. Blocks, raw storage and RPC work.`;
  }
}

type VersionReply = { readonly specName: string; readonly specVersion: number };
type PropertiesReply = { readonly ss58Format?: number } | null;

/** Metadata V9 to V13, whose types are looked up by chain and version; the code and collections load on first use. */
const loadHistoric = async (
  node: MetaSource,
  bytes: Uint8Array,
  hash: string | null,
): Promise<RuntimeMeta> => {
  const [{ describeMetadata }, chain, runtime, properties] = await Promise.all([
    import('./historic/historic.ts'),
    node.request('system_chain', []),
    node.request('state_getRuntimeVersion', hash === null ? [] : [hash]) as Promise<VersionReply>,
    node.request('system_properties', []) as Promise<PropertiesReply>,
  ]);
  const { metadata, version } = describeMetadata(bytes, { chain: String(chain), ...runtime });
  return toRuntimeMeta(metadata, version, properties?.ss58Format);
};

const loadMeta = async (node: MetaSource, hash: string | null): Promise<RuntimeMeta> => {
  const bytes = await loadBytes(node, hash);
  const version = metadataVersion(bytes);
  if (version !== null && (version < oldest || version > newest)) throw new UnreadableMetadata(version);
  return version !== null && version < firstDescribed
    ? loadHistoric(node, bytes, hash)
    : createRuntimeMeta(bytes);
};

/** The parts of a header, as JSON-RPC writes it, that tell which runtime executed the block. */
type Ancestry = {
  readonly parentHash: string;
  readonly number: string | number;
  readonly digest: { readonly logs: readonly string[] };
};

/**
 * Loads the metadata of runtimes, each once. A block has two: the runtime in its state, which its calls use and
 * which executes the next block, and the runtime that executed it. They differ in the block of an upgrade.
 */
export type MetaLoader = {
  /**
   * The runtime in the state of this block, or of the best block for null: for runtime APIs, dry runs and
   * transactions. Rejects if it cannot be loaded.
   */
  at(hash: string | null): Promise<RuntimeMeta>;
  /**
   * The runtime that executed this block, or the best block for null: for its extrinsics, events and errors, and
   * for the values in its state, which that runtime wrote. It is in the parent's state. Rejects if it cannot be
   * loaded. Without `header`, the header is requested.
   */
  of(hash: string | null, header?: Ancestry): Promise<RuntimeMeta>;
};

export const createMetaLoader = (node: MetaSource): MetaLoader => {
  const byCode = new Map<string, Promise<RuntimeMeta>>();
  /** The runtime that executed a block never changes. */
  const byBlock = new Map<string, Promise<RuntimeMeta>>();
  const at: MetaLoader['at'] = async (hash) => {
    const code = String(
      await node.request('state_getStorageHash', hash === null ? [codeKey] : [codeKey, hash]),
    );
    const known = byCode.get(code);
    if (known) return known;
    const loading = loadMeta(node, hash);
    byCode.set(code, loading);
    // A failed attempt is not cached.
    loading.catch(() => byCode.delete(code));
    return loading;
  };
  const find: MetaLoader['of'] = async (hash, known) => {
    const header =
      known ?? ((await node.request('chain_getHeader', hash === null ? [] : [hash])) as Ancestry | null);
    // Genesis was not executed: its own runtime describes it. A missing block is refused with the node's words.
    if (header === null || Number(header.number) === 0) return at(hash);
    try {
      return await at(header.parentHash);
    } catch (fault) {
      // A node that prunes keeps no state of the parent of its oldest state.
      if (header.digest.logs.includes(upgradeLog)) throw fault;
      return at(hash);
    }
  };
  return {
    at,
    of: (hash, header) => {
      if (hash === null) return find(null);
      const known = byBlock.get(hash);
      if (known !== undefined) return known;
      const finding = find(hash, header);
      if (byBlock.size >= mostBlocks) byBlock.delete(byBlock.keys().next().value as string);
      byBlock.set(hash, finding);
      finding.catch(() => byBlock.delete(hash));
      return finding;
    },
  };
};
