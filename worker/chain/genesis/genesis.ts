import { NodeError } from '../../../src/protocol/errors.ts';
import { equalBytes, noBytes, textToBytes } from '../../bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../../bytes/hex.ts';
import type { Header } from '../../codec/header.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import type { Executor, Runtime } from '../../executor/executor.ts';
import { type ApiTarget, buildState, getPreset, presetNames, targetOf } from '../../executor/runtime-api.ts';
import { createEmptyBackend } from '../../state/backend.ts';
import type { StorageChanges } from '../../state/changes.ts';
import { createOverlay, type Overlay } from '../../state/overlay.ts';
import type { NodeSource } from '../../trie/node-source.ts';
import { emptyRoot } from '../../trie/trie.ts';
import { stateVersion } from '../hashes.ts';
import type { NewNodes } from '../states/journals.ts';
import { developmentGenesis } from './development-genesis.ts';
import { exactJson, type GenesisSource, loadGenesis, mergeJson, type ReadGenesis } from './spec.ts';

export type Genesis = { readonly header: Header; readonly nodes: NewNodes };

export const codeKey = /* @__PURE__ */ textToBytes(':code');
/** Code that is due in the next block (sp-storage, `PENDING_CODE`). */
export const pendingCodeKey = /* @__PURE__ */ textToBytes(':pending_code');

const presetJson = (target: ApiTarget, preset: string | null): unknown => {
  const json = getPreset(target, preset);
  if (json !== null) return exactJson.parse(json);
  const known = presetNames(target).join(', ');
  throw new NodeError('BadSpec', `The runtime has no genesis preset "${preset}"; it has: ${known}`);
};

const parsePatch = (text: string): unknown => {
  try {
    return exactJson.parse(text);
  } catch (cause) {
    throw new NodeError('BadSpec', 'The genesis patch is not JSON', { cause });
  }
};

/**
 * Genesis from the runtime's GenesisBuilder: default, preset and patch, merged in this order (sc-chain-spec,
 * `GenesisConfigBuilderRuntimeCaller`).
 */
const buildByRuntime = (
  runtime: Runtime,
  overlay: Overlay,
  source: Extract<GenesisSource, { kind: 'runtime' }>,
): StorageChanges => {
  if (runtime.apiVersion('GenesisBuilder') === null)
    throw new NodeError(
      'MissingApi',
      'The runtime has no GenesisBuilder API: start it from a raw chain specification',
    );
  const target: ApiTarget = { runtime, overlay, options: { fuel: 'genesis' } };
  let config = source.config;
  if (config === null) {
    let json = presetJson(target, null);
    if (source.preset !== null) json = mergeJson(json, presetJson(target, source.preset));
    if (source.patch !== null) json = mergeJson(json, parsePatch(source.patch));
    config = exactJson.stringify(json);
  }
  const complaint = buildState(target, config);
  if (complaint !== null)
    throw new NodeError('BadSpec', `The runtime refused the genesis configuration: ${complaint}`);
  return overlay.changes();
};

/** The genesis state of a fork is not needed to continue the chain. */
const notKnown = (): NodeError =>
  new NodeError(
    'Unsupported',
    'The genesis state of a fork is that of the live chain, and is not known here',
  );

/** The code of the genesis state. Throws `BadSpec` if it has none, `Unsupported` for a fork. */
export const sourceCode = (source: ReadGenesis): Uint8Array => {
  if (source.kind === 'live') throw notKnown();
  if (source.kind === 'runtime') return source.code;
  // Of equal keys, the last one counts, as in the state.
  const pair = source.top.findLast(([key]) => equalBytes(key, codeKey));
  if (pair === undefined)
    throw new NodeError('BadSpec', 'Chain specification: no :code in the genesis state');
  return pair[1];
};

type Deps = { readonly crypto: Crypto; readonly executor: Executor; readonly source: NodeSource };

const prepare = ({ crypto, executor, source: nodes }: Deps, source: ReadGenesis) => {
  const empty = createEmptyBackend({ blake2b256: crypto.blake2b256, source: nodes });
  const code = sourceCode(source);
  const loadRuntime = () => executor.load(crypto.blake2b256(code), code);
  return { empty, code, loadRuntime };
};

type Prepared = ReturnType<typeof prepare>;

const readChanges = ({ empty, code, loadRuntime }: Prepared, source: ReadGenesis): StorageChanges => {
  if (source.kind === 'raw') return { main: source.top, children: source.children, offchain: [] };
  if (source.kind === 'live') throw notKnown();
  const overlay = createOverlay(empty);
  overlay.set(codeKey, code);
  return buildByRuntime(loadRuntime(), overlay, source);
};

const pairsJson = (pairs: StorageChanges['main']): object =>
  Object.fromEntries(pairs.map(([key, value]) => [bytesToHex(key), bytesToHex(value ?? noBytes)]));

/**
 * The `genesis` field of a chain specification: the raw state, or the readable form if it was given that way
 * (sc-chain-spec `as_json`).
 */
export const genesisJson = async (deps: Deps, given: GenesisSource, isRaw: boolean): Promise<object> => {
  const source = await loadGenesis(given);
  const prepared = prepare(deps, source);
  if (source.kind === 'raw' || isRaw) {
    const { main, children } = readChanges(prepared, source);
    const childrenDefault = children.map(([name, pairs]) => [bytesToHex(name), pairsJson(pairs)] as const);
    return { raw: { top: pairsJson(main), childrenDefault: Object.fromEntries(childrenDefault) } };
  }
  if (source.kind === 'live') throw notKnown();
  const code = bytesToHex(source.code);
  if (source.config !== null) return { runtimeGenesis: { code, config: exactJson.parse(source.config) } };
  const target = targetOf({ backend: prepared.empty, runtime: prepared.loadRuntime() });
  const preset = source.preset === null ? {} : presetJson(target, source.preset);
  const patch = source.patch === null ? preset : mergeJson(preset, parsePatch(source.patch));
  return { runtimeGenesis: { code, patch } };
};

type State = { readonly changes: StorageChanges; readonly version: 0 | 1 };

/** The precomputed genesis of the default runtime's development preset; null for all others. */
const knownState = ({ blake2b256 }: Crypto, source: ReadGenesis): State | null => {
  if (source.kind !== 'runtime' || source.preset !== 'development') return null;
  const { code, patch, config } = source;
  const { codeHash, version, top } = developmentGenesis;
  if (patch !== null || config !== null || bytesToHex(blake2b256(code)) !== codeHash) return null;
  const main = Object.entries(top).map(([key, value]) => [hexToBytes(key), hexToBytes(value)] as const);
  return { changes: { main: [[codeKey, code], ...main], children: [], offchain: [] }, version };
};

const workOut = (prepared: Prepared, source: ReadGenesis): State => ({
  changes: readChanges(prepared, source),
  version: stateVersion(prepared.loadRuntime()),
});

/** The genesis state built by the runtime, and its trie version. */
export const genesisState = (deps: Deps, source: ReadGenesis): State =>
  workOut(prepare(deps, source), source);

type Built = { readonly stateRoot: Uint8Array; readonly nodes: NewNodes };

const commitState = ({ empty }: Prepared, { changes, version }: State): Built => {
  const { backend, nodes } = empty.commit(changes, version);
  return { stateRoot: backend.root, nodes };
};

const build = async ({ crypto, ...deps }: Deps, given: GenesisSource): Promise<Built> => {
  const source = await loadGenesis(given);
  const prepared = prepare({ crypto, ...deps }, source);
  if (source.kind !== 'raw')
    return commitState(prepared, knownState(crypto, source) ?? workOut(prepared, source));
  const { buildRawState } = await import('./raw-state.ts');
  return buildRawState(crypto.blake2b256, source, stateVersion(prepared.loadRuntime()));
};

/** The state and header of block 0. The state version is the genesis runtime's. */
export const buildGenesis = async (deps: Deps, source: GenesisSource): Promise<Genesis> => {
  const { stateRoot, nodes } = await build(deps, source);
  const header: Header = {
    parentHash: new Uint8Array(32),
    number: 0,
    stateRoot,
    extrinsicsRoot: emptyRoot(deps.crypto.blake2b256),
    digest: [],
  };
  return { header, nodes };
};
