import { closeSync, openSync, readSync } from 'node:fs';
import { access, constants, readdir, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { chainIdFault } from '../../src/protocol/chain-id.ts';
import { NodeError } from '../../src/protocol/errors.ts';
import type { ChainSource, StorageSource } from '../../src/protocol/node.ts';
import { findText } from '../../worker/chain/genesis/raw-text.ts';
import { closeFolder, refuseForeignLink } from '../../worker/db/files.ts';
import type { PlaceArguments } from '../cli/arguments.ts';
import { notice } from '../cli/terminal.ts';
import { createFolder } from './new-file.ts';

const wasmMagic = [0x00, 0x61, 0x73, 0x6d];
/** Prefix of zstd-compressed code blobs (sp-maybe-compressed-blob, `ZSTD_PREFIX`). */
const zstdPrefix = [82, 188, 83, 118, 70, 219, 142, 5];

const startsWith = (bytes: Uint8Array, prefix: readonly number[]): boolean =>
  prefix.every((byte, index) => bytes[index] === byte);

/** What a file of a specification begins with: in those of the SDK, its id is in the second line. */
const headBytes = 64 * 1024;

type Head = {
  readonly head: Uint8Array;
  /** Whether the file can be read again later: it is no pipe. */
  readonly isFile: boolean;
};

const readHead = async (path: string): Promise<Head> => {
  if (!(await stat(path)).isFile()) return { head: new Uint8Array(await readFile(path)), isFile: false };
  const file = openSync(path, 'r');
  try {
    const head = new Uint8Array(headBytes);
    return { head: head.subarray(0, readSync(file, head)), isFile: true };
  } finally {
    closeSync(file);
  }
};

const orNotFound = async <T>(path: string, reading: Promise<T>): Promise<T> => {
  try {
    return await reading;
  } catch (cause) {
    throw new NodeError('BadSpec', `There is no preset "${path}", and no file of that name can be read`, {
      cause,
    });
  }
};

/** If there is no id, the node reports what is wrong with the specification. Throws `BadSpec`. */
const checkId = (id: unknown): string => {
  if (typeof id !== 'string') return 'custom';
  const fault = chainIdFault(id);
  if (fault !== null) throw new NodeError('BadSpec', `Chain specification: ${fault}`);
  return id;
};

type NamedSource = { readonly source: ChainSource; readonly id: string };

/** The node reads the file, unless its database knows it. */
const fileSource = async (path: string, head: Uint8Array): Promise<NamedSource> => {
  const id = findText(head, 'id') ?? findText(await orNotFound(path, readFile(path)), 'id');
  return { source: { specFile: resolve(path) }, id: checkId(id) };
};

/**
 * Loads what `--chain` refers to: a preset, or else a file whose first bytes distinguish a runtime from a
 * specification.
 */
export const loadChainSource = async ({
  chain,
  preset,
}: Pick<PlaceArguments, 'chain' | 'preset'>): Promise<NamedSource> => {
  if (chain === 'development' || chain === 'local_testnet') {
    if (preset !== null) throw new NodeError('BadConfig', '--preset requires a runtime (.wasm) as --chain');
    return { source: chain, id: chain };
  }
  const { head, isFile } = await orNotFound(chain, readHead(chain));
  if (startsWith(head, wasmMagic) || startsWith(head, zstdPrefix)) {
    const bytes = isFile ? new Uint8Array(await orNotFound(chain, readFile(chain))) : head;
    const name = basename(chain).replace(/(\.compact)?(\.compressed)?\.wasm$/, '');
    return {
      source: preset === null ? { wasm: bytes } : { wasm: bytes, preset },
      id: `${name}-${preset ?? 'genesis'}`,
    };
  }
  if (chain.endsWith('.wasm')) throw new NodeError('BadCode', `${chain} is not a WebAssembly module`);
  if (preset !== null) throw new NodeError('BadConfig', '--preset requires a runtime (.wasm) as --chain');
  if (isFile) return fileSource(chain, head);
  return { source: { specJson: new TextDecoder().decode(head) }, id: checkId(findText(head, 'id')) };
};

/** The platform's folder for application data. */
const dataFolder = (): string => {
  const { env, platform } = process;
  if (platform === 'win32') return env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  return env['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share');
};

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
const readOnlyCodes: readonly unknown[] = ['EACCES', 'EPERM', 'EROFS'];

const makeFolder = async (folder: string): Promise<void> => {
  try {
    await createFolder(folder);
  } catch (cause) {
    if (codeOf(cause) === 'ENOTDIR' || codeOf(cause) === 'EEXIST')
      throw new NodeError('BadConfig', `${folder} cannot be created: a file is in its way`, { cause });
    if (readOnlyCodes.includes(codeOf(cause)))
      throw new NodeError('StorageReadOnly', `${folder} cannot be created: this node may not write there`, {
        cause,
      });
    throw new NodeError('StorageBroken', `${folder} cannot be created: ${codeOf(cause) ?? cause}`, { cause });
  }
};

/**
 * Checked before SQLite opens the file, because SQLite reports missing write permission as "disk I/O error".
 */
const checkWritable = async (path: string): Promise<void> => {
  try {
    await access(path, constants.W_OK);
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return;
    throw new NodeError('StorageReadOnly', `${path} is read-only: this node may not write there`, { cause });
  }
};

/** The chains and forks that a base path holds in the place of a missing one, for its error; empty if it holds none. */
export const storedText = async (folder: string): Promise<string> => {
  const names = await readdir(dirname(folder)).catch(() => []);
  const others = names.filter((name) => name !== basename(folder)).sort();
  return others.length === 0 ? '' : `; the base path holds ${others.slice(0, 12).join(', ')}`;
};

const mustExist = async (folder: string, path: string): Promise<void> => {
  try {
    await access(path);
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT' || codeOf(cause) === 'ENOTDIR')
      throw new NodeError('BadConfig', `There is no chain in ${folder}${await storedText(folder)}`, {
        cause,
      });
  }
};

/** Where chains are stored unless `--base-path` says otherwise. */
export const defaultBasePath = (): string => join(dataFolder(), 'tabnode');

/** The id is arbitrary text of the specification's author, so it must not escape the folder. */
const chainFolder = (basePath: string | undefined, id: string): string =>
  join(basePath ?? defaultBasePath(), 'chains', id.replace(/[^\w.-]|^\.+/g, '_'));

const fileName = 'tabnode.sqlite';

/** Chains of earlier versions could be read by everybody, secret keys included. */
const closeToOthers = (folder: string, json: boolean): void => {
  const { wasOpen, cannotClose } = closeFolder(folder);
  if (wasOpen)
    notice(`Files in ${folder} could be read by other users of this machine; now only you can.`, json);
  if (cannotClose !== null)
    notice(`${cannotClose} can be read by other users, and you may not change its permissions.`, json);
};

const openStorage = async (
  basePath: string | null | undefined,
  id: string,
  { isNewAllowed, json }: { readonly isNewAllowed: boolean; readonly json: boolean },
): Promise<StorageSource> => {
  if (basePath === null) return { kind: 'memory' };
  const folder = chainFolder(basePath, id);
  const path = join(folder, fileName);
  // Before anything is created where a link leads.
  for (const place of [dirname(folder), folder]) refuseForeignLink(place);
  if (isNewAllowed) await makeFolder(folder);
  else await mustExist(folder, path);
  closeToOthers(folder, json);
  for (const written of [folder, path, `${path}-wal`]) await checkWritable(written);
  return { kind: 'sqlite', path };
};

export type NodeSource = {
  readonly chain: ChainSource;
  readonly storage: StorageSource;
  /** Where the chain is kept if another process has the storage. Default: the node does not start. */
  readonly fallback?: StorageSource | undefined;
};

/** Opens the chain and storage that the arguments select. */
export const openChainSource = async (args: PlaceArguments, isNewAllowed = true): Promise<NodeSource> => {
  const { source, id } = await loadChainSource(args);
  return { chain: source, storage: await openStorage(args.basePath, id, { isNewAllowed, json: args.json }) };
};

/** Several chains may have one host: the path of a URL belongs to the name. */
const forkFolder = (source: string): string => {
  if (!URL.canParse(source)) return basename(source);
  const { host, pathname } = new URL(source);
  return `${host}${pathname}`.replace(/\/+$/, '').replaceAll('/', '_').slice(0, 150);
};

/**
 * The storage of a fork: in memory, or a folder that is named after the block and what it is forked from (a pack, a chain, or
 * an endpoint), so that the same command opens it again. Without that, the only fork in the folder.
 */
export const openForkStorage = async (
  { basePath, json }: Pick<PlaceArguments, 'basePath' | 'json'>,
  source: string | undefined,
  block: string | undefined,
): Promise<StorageSource> => {
  if (basePath == null) return { kind: 'memory' };
  if (source !== undefined)
    return openStorage(basePath, `fork_${forkFolder(source)}_${block ?? 'finalized'}`, {
      isNewAllowed: true,
      json,
    });
  const folders = await readdir(join(basePath, 'chains')).catch(() => []);
  const isWanted = (name: string): boolean =>
    name.startsWith('fork_') && (block === undefined || name.endsWith(`_${block}`));
  const [only, ...others] = folders.filter(isWanted);
  if (only === undefined) throw new NodeError('BadConfig', `There is no fork in ${basePath}`);
  if (others.length > 0) {
    const all = [only, ...others].join(', ');
    throw new NodeError(
      'BadConfig',
      `There are several forks in ${basePath}: ${all}. Name an endpoint or a --block`,
    );
  }
  return openStorage(basePath, only, { isNewAllowed: false, json });
};

/** A stored fork is named by its folder. */
const isStoredFork = (chain: string): boolean => /^fork_[\w.-]+$/.test(chain);

/** The same for an existing chain: creates no folders; throws `BadConfig` if the chain does not exist. */
export const findChainSource = (args: PlaceArguments): Promise<NodeSource> => openChainSource(args, false);

/** The same for an existing chain or fork. A fork can only be looked at: it has no endpoints to read from. */
export const findStored = async (args: PlaceArguments): Promise<NodeSource> => {
  const { chain, basePath, json } = args;
  if (!isStoredFork(chain)) return findChainSource(args);
  const storage = await openStorage(basePath, chain, { isNewAllowed: false, json });
  return { chain: { fork: { endpoints: [] } }, storage };
};

/** The path of a chain or fork on disk, whether or not it exists. */
export const locateChain = async (
  args: PlaceArguments,
): Promise<{ readonly folder: string; readonly fileName: string }> => {
  const id = isStoredFork(args.chain) ? args.chain : (await loadChainSource(args)).id;
  return { folder: chainFolder(args.basePath ?? undefined, id), fileName };
};
