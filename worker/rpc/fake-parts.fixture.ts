import { NodeError } from '../../src/protocol/errors.ts';
import { compareBytes, startsWithBytes, textToBytes } from '../bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import type { ChainEvent } from '../chain/events.ts';
import type { Header } from '../codec/header.ts';
import type { BlockHash, ExtrinsicHash } from '../codec/identity.ts';
import type { Runtime } from '../executor/executor.ts';
import type { SubmitResult } from '../pool/pool.ts';
import type { Watcher } from '../pool/watchers.ts';
import type { Backend } from '../state/backend.ts';
import { fakeNetwork } from './fake-network.fixture.ts';
import type { RpcParts } from './parts.ts';

/** An in-memory chain of headers with one flat state: just enough for the server's tests. */
export type FakeNode = {
  readonly parts: RpcParts;
  readonly hashes: BlockHash[];
  readonly submitted: Uint8Array[];
  /** The log messages so far. */
  readonly errors: unknown[];
  /** Imports a best block and notifies subscribers. */
  grow(changes?: readonly (readonly [string, string | null])[]): BlockHash;
  finalize(number: number): void;
  notify(status: Parameters<Watcher>[0]): void;
  setSubmitResult(result: SubmitResult): void;
  setCallResult(method: string, output: string): void;
};

const fill = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const hashOf = (number: number): BlockHash => bytesToHex(fill(0xa0 + number)) as string as BlockHash;

const headerOf = (number: number): Header => ({
  parentHash: number === 0 ? fill(0) : hexToBytes(hashOf(number - 1)),
  number,
  stateRoot: fill(1),
  extrinsicsRoot: fill(2),
  digest: [Uint8Array.of(6, 1, 2)],
});

const fakeBackend = (state: ReadonlyMap<string, Uint8Array>): Backend => {
  const under = (prefix: Uint8Array, start: Uint8Array | null): Uint8Array[] =>
    [...state.keys()]
      .map(hexToBytes)
      .filter((key) => startsWithBytes(key, prefix) && (start === null || compareBytes(key, start) > 0))
      .sort(compareBytes);
  const visitKeys: Backend['visitKeys'] = ({ prefix, start }, visit) => {
    under(prefix, start).every((key) => visit(key, null));
  };
  const read = {
    get: (key: Uint8Array) => state.get(bytesToHex(key)) ?? null,
    valueSize: (key: Uint8Array) => state.get(bytesToHex(key))?.length ?? null,
    valueHash: (key: Uint8Array) => (state.has(bytesToHex(key)) ? fill(9) : null),
    prove: () => [Uint8Array.of(1, 2, 3)],
    visitKeys,
    childVisitKeys: () => undefined,
    trieOf: () => null,
    childGet: () => null,
    childValueSize: () => null,
    childValueHash: () => null,
    proveChild: () => [Uint8Array.of(1, 2, 3)],
  };
  return read as unknown as Backend;
};

const version = {
  specName: 'fake',
  implName: 'fake',
  authoringVersion: 1,
  specVersion: 7,
  implVersion: 1,
  apis: [[hexToBytes('0xdf6acb689907609b'), 5]] as const,
  transactionVersion: 1,
  systemVersion: 1,
};

type World = {
  readonly hashes: BlockHash[];
  readonly state: Map<string, Uint8Array>;
  readonly listeners: Set<(event: ChainEvent) => void>;
  readonly watchers: Set<Watcher>;
  readonly submitted: Uint8Array[];
  readonly errors: unknown[];
  readonly calls: Map<string, string>;
  finalized: number;
  submitResult: SubmitResult;
};

const bestOf = ({ hashes }: World) => ({ hash: hashes.at(-1) as BlockHash, number: hashes.length - 1 });

const createFakeChain = (world: World): RpcParts['chain'] => {
  const numberOf = (hash: BlockHash): number => world.hashes.indexOf(hash);
  const known = (hash: BlockHash): void => {
    if (numberOf(hash) < 0)
      throw new NodeError('UnknownBlock', `Header was not found in the database: ${hash}`);
  };
  const runtime = { version, apiVersion: () => 4 } as unknown as Runtime;
  const properties = { ss58Format: 42 };
  const spec = { name: 'Fake', id: 'fake', chainType: 'Development', properties, bootNodes: [] };
  const justifications = [[textToBytes('FRNK'), Uint8Array.of(1, 2)]] as const;
  return {
    genesisHash: hashOf(0),
    spec: spec as unknown as RpcParts['chain']['spec'],
    // Not used by these tests: light client specifications are tested on real nodes.
    view: { tree: { leaves: () => [] } } as unknown as RpcParts['chain']['view'],
    genesisJson: async () => ({}),
    base: { hash: hashOf(0), number: 0 },
    best: () => bestOf(world),
    finalized: () => ({ hash: hashOf(world.finalized), number: world.finalized }),
    tryHeader: () => null,
    loadHeader: async (hash) => (numberOf(hash) < 0 ? null : headerOf(numberOf(hash))),
    loadBlock: async (hash) => {
      if (numberOf(hash) < 0) return null;
      return { header: headerOf(numberOf(hash)), extrinsics: [Uint8Array.of(4, 9)], justifications };
    },
    loadHashAt: async (number) => world.hashes[number] ?? null,
    runtimeAt: async (hash) => {
      known(hash);
      return runtime;
    },
    // As if only the best state were in memory.
    scans: null,
    tryState: (hash, read) =>
      hash === bestOf(world).hash ? { value: read(fakeBackend(world.state)) } : null,
    withState: async (hash, read) => {
      known(hash);
      return read(fakeBackend(world.state));
    },
    callAt: async (hash, method) => {
      known(hash);
      const output = world.calls.get(method);
      if (output === undefined) return { ok: false, trap: `no ${method}`, kind: 'missingExport', logs: [] };
      return { ok: true, output: hexToBytes(output), logs: [] };
    },
    reexecute: async () => ({
      result: { ok: true, output: fill(0), logs: [] },
      stateRoot: fill(1),
      witness: [],
    }),
    callRecorded: async () => ({ ok: true, output: fill(0), logs: [] }),
    record: () => Promise.reject(new Error('blocks are executed again on real nodes')),
    run: async (attempt) => attempt(),
    finalize: async (hash) => known(hash),
    timings: () => [],
    unfinalized: () => [],
    isStateKept: async () => true,
    keepPruned: () => undefined,
    pinStates: async () => undefined,
    discard: async () => undefined,
    onEvent: (listener) => {
      world.listeners.add(listener);
      return () => world.listeners.delete(listener);
    },
  };
};

const createFakeParts = (world: World): RpcParts => ({
  chain: createFakeChain(world),
  grandpa: { authoritySet: async () => null, loadSet: async () => null },
  voting: { doubleVotes: () => [], rounds: () => null },
  pool: {
    submit: async (extrinsic) => {
      world.submitted.push(extrinsic);
      return world.submitResult;
    },
    watch: (_hash, watcher) => {
      world.watchers.add(watcher);
      return () => world.watchers.delete(watcher);
    },
    provider: () => undefined,
    ready: () => Object.assign([].values(), { skipDependents: () => undefined }),
    pending: () => [Uint8Array.of(4, 1)],
    remove: () => [],
    future: () => [],
    banned: () => [],
  },
  author: {
    seal: async ({ createEmpty }) =>
      createEmpty
        ? { ok: true, ...bestOf(world), included: 0, witness: [], left: [], sizeBytes: 1 }
        : { ok: false, code: 'EmptyPool', message: '' },
  },
  finality: { setMode: () => undefined },
  // Not used by these tests: the dev_ methods are tested on real nodes.
  dev: {} as RpcParts['dev'],
  sealing: { mode: () => ({ kind: 'manual' }), setMode: () => undefined },
  keystore: {
    insert: async () => undefined,
    has: () => false,
    list: () => [],
    pairs: () => [],
    attempt: () => ({
      host: { publicKeys: () => [], generate: () => fill(7), sign: () => null, signPrehashed: () => null },
      apply: async () => undefined,
    }),
    flush: async () => undefined,
  },
  sessionKeys: () => Promise.resolve(),
  offchain: {
    storage: {
      peek: () => null,
      load: async () => null,
      write: async () => undefined,
      set: async () => undefined,
      flush: async () => undefined,
    },
  },
  fork: null,
  crypto: { blake2b256: () => fill(7) } as unknown as RpcParts['crypto'],
  executor: {
    load: () => ({}) as Runtime,
    liveInstances: () => 0,
    memoryPages: () => 0,
    watchLogs: () => () => undefined,
    note: () => undefined,
    logFilter: { add: () => undefined, reset: () => undefined },
  },
  db: { sizeBytes: async () => 0 },
  ...fakeNetwork,
  syncing: { highest: () => bestOf(world).number, isMajor: () => false },
  status: () => Promise.reject(new NodeError('Unsupported')),
  schedule: () => () => undefined,
  onError: (error) => void world.errors.push(error),
  dialect: 'psp-6',
  config: { keys: ['//Alice'] },
});

export const createFakeNode = (): FakeNode => {
  const world: World = {
    hashes: [hashOf(0)],
    state: new Map([
      ['0x3a636f6465', textToBytes('code')],
      ['0x3a01', Uint8Array.of(1, 2)],
      ['0x3a02', new Uint8Array(0)],
    ]),
    listeners: new Set(),
    watchers: new Set(),
    submitted: [],
    errors: [],
    calls: new Map([['Core_version', '0x1234']]),
    finalized: 0,
    submitResult: { ok: true, hash: bytesToHex(fill(7)) as string as ExtrinsicHash },
  };
  const emit = (event: ChainEvent): void => {
    for (const listener of [...world.listeners]) listener(event);
  };
  return {
    parts: createFakeParts(world),
    hashes: world.hashes,
    submitted: world.submitted,
    errors: world.errors,
    grow: (changes = []) => {
      const number = world.hashes.length;
      const hash = hashOf(number);
      world.hashes.push(hash);
      const main = changes.map(
        ([key, value]) => [hexToBytes(key), value === null ? null : hexToBytes(value)] as const,
      );
      for (const [key, value] of main) {
        if (value === null) world.state.delete(bytesToHex(key));
        else world.state.set(bytesToHex(key), value);
      }
      const written = { changes: { main, children: [], offchain: [] }, enacted: [hash], retracted: [] };
      emit({
        kind: 'imported',
        hash,
        number,
        header: headerOf(number),
        isBest: true,
        origin: 'announced',
        ...written,
      });
      return hash;
    },
    finalize: (number) => {
      const blocks = world.hashes.slice(world.finalized + 1, number + 1);
      world.finalized = number;
      emit({
        kind: 'finalized',
        hash: hashOf(number),
        number,
        proof: null,
        blocks,
        pruned: [],
        enacted: [],
        retracted: [],
      });
    },
    notify: (status) => {
      for (const watcher of [...world.watchers]) watcher(status);
    },
    setSubmitResult: (result) => {
      world.submitResult = result;
    },
    setCallResult: (method, output) => {
      world.calls.set(method, output);
    },
  };
};
