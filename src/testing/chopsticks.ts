import { ApiPromise, WsProvider } from '@polkadot/api';
import type { ApiOptions } from '@polkadot/api/types';
import { NodeError } from '../protocol/errors.ts';
import type { NewBlockInput, StorageInput } from '../protocol/rpc/params/dev.ts';

// The testing package of chopsticks (packages/utils and packages/testing) on forks of this node: a test changes its import.

export { defer, sendTransaction, signFake, signFakeWithApi, testingPairs } from './chopsticks-accounts.ts';
export {
  type Checker,
  type EventFilter,
  type ExpectFn,
  type RedactOptions,
  setupCheck,
  withExpect,
} from './chopsticks-check.ts';

/** Options of chopsticks as its YAML has them, such as `{ endpoint, block, 'mock-signature-host': true }`. */
export type Config = Readonly<Record<string, unknown>>;

/** Which chain a test forks, and how. */
export type SetupOption = {
  readonly endpoint: string | readonly string[];
  readonly blockNumber?: number | undefined;
  readonly blockHash?: `0x${string}` | undefined;
  /** Path of a runtime. */
  readonly wasmOverride?: string | undefined;
  readonly db?: string | undefined;
  /** For the test's own connection to the fork, in ms. */
  readonly timeout?: number | undefined;
  readonly rpcTimeout?: number | undefined;
  readonly host?: string | undefined;
  /** Default: a free one. */
  readonly port?: number | undefined;
  readonly maxMemoryBlockCount?: number | undefined;
  readonly resume?: boolean | string | number | undefined;
  readonly runtimeLogLevel?: number | undefined;
  readonly allowUnresolvedImports?: boolean | undefined;
  readonly processQueuedMessages?: boolean | undefined;
  readonly saveBlock?: boolean | undefined;
};

export type SetupConfig = Config & { readonly timeout?: number | undefined };

/** A fork that is served: what a test holds of it. Implemented in `bridge/testing/open-fork.ts`. */
type OpenFork = (config: unknown, where: string) => Promise<{ readonly url: string; close(): Promise<void> }>;

// Assigned to a variable first, because bundlers read `new URL(…, import.meta.url)` as an asset.
const here = import.meta.url;
const nodePart = here.endsWith('.ts') ? '../../bridge/testing/open-fork.ts' : '../node/testing-fork.js';

const loadOpenFork = async (): Promise<OpenFork> =>
  ((await import(/* @vite-ignore */ new URL(nodePart, here).href)) as { readonly openFork: OpenFork })
    .openFork;

/** Without members that are undefined, which are not given. */
const given = (config: Config): Config =>
  Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));

/** The option of chopsticks' YAML that each option of a test becomes. */
const names = {
  endpoint: 'endpoint',
  host: 'host',
  port: 'port',
  blockNumber: 'block',
  blockHash: 'block',
  maxMemoryBlockCount: 'max-memory-block-count',
  runtimeLogLevel: 'runtime-log-level',
  db: 'db',
  wasmOverride: 'wasm-override',
  timeout: 'timeout',
  rpcTimeout: 'rpc-timeout',
  resume: 'resume',
  allowUnresolvedImports: 'allow-unresolved-imports',
  processQueuedMessages: 'process-queued-messages',
  saveBlock: 'save-blocks',
} as const satisfies Readonly<Record<keyof SetupOption, string>>;

/**
 * The configuration of a test: blocks are built by the test, and mock signatures are valid. Throws `BadConfig` for an option
 * that there is not, and for two blocks.
 */
export const createConfig = (option: SetupOption): SetupConfig => {
  const config: Record<string, unknown> = { 'mock-signature-host': true, 'build-block-mode': 'Manual' };
  const chosen = given({ ...option });
  for (const [name, value] of Object.entries(chosen)) {
    if (!Object.hasOwn(names, name))
      throw new NodeError(
        'BadConfig',
        `setupContext has no option "${name}"; setupContextWithConfig takes all options of chopsticks' YAML`,
      );
    config[names[name as keyof SetupOption]] = value;
  }
  if ('blockNumber' in chosen && 'blockHash' in chosen)
    throw new NodeError('BadConfig', 'setupContext: give blockNumber or blockHash, and leave out the other');
  return config;
};

const connect = async (url: string, timeout: number | undefined) => {
  const ws = new WsProvider(url, 3_000, undefined, timeout);
  try {
    // Its type has optional members that may be undefined, which that of the option does not allow.
    const provider = ws as unknown as NonNullable<ApiOptions['provider']>;
    return { ws, api: await ApiPromise.create({ provider, noInitWarn: true }) };
  } catch (error) {
    await ws.disconnect();
    throw error;
  }
};

/** A fork for a test, and what drives it. */
export type NetworkContext = Awaited<ReturnType<typeof openContext>>;

const openContext = async (from: string | SetupConfig) => {
  const openFork = await loadOpenFork();
  const { timeout, ...config } = typeof from === 'string' ? {} : from;
  const { url, close } = await openFork(typeof from === 'string' ? from : given(config), 'configuration');
  const { ws, api } = await connect(url, timeout).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const dev = {
    /** Builds blocks, and returns the hash of the last one. */
    newBlock: (param?: NewBlockInput): Promise<string> =>
      ws.send('dev_newBlock', param === undefined ? [] : [param]),
    setStorage: (values: StorageInput, blockHash?: string): Promise<string> =>
      ws.send('dev_setStorage', blockHash === undefined ? [values] : [values, blockHash]),
    timeTravel: (date: string | number): Promise<number> => ws.send('dev_timeTravel', [date]),
    setHead: (hashOrNumber: string | number): Promise<string> => ws.send('dev_setHead', [hashOrNumber]),
  };
  return {
    url,
    ws,
    api,
    dev,
    /** The part of chopsticks' chain that tests use. */
    chain: {
      newBlock: async (
        param?: NewBlockInput,
      ): Promise<{ readonly hash: string; readonly number: number }> => {
        const hash = await dev.newBlock(param);
        const { number } = await api.rpc.chain.getHeader(hash);
        return { hash, number: number.toNumber() };
      },
    },
    teardown: async (): Promise<void> => {
      await api.disconnect();
      await close();
    },
    /** Lets the fork build blocks on demand, prints its URL, and never returns. */
    pause: async (): Promise<never> => {
      await ws.send('dev_setBlockBuildMode', ['Instant']);
      // biome-ignore lint/suspicious/noConsole: whoever pauses a test reads its output
      console.info(`The test is paused: https://polkadot.js.org/apps/?rpc=${encodeURIComponent(url)}`);
      return new Promise<never>(() => undefined);
    },
  };
};

/** Forks a chain with options of chopsticks' YAML. Throws `BadConfig`, and the errors of endpoints. */
export const setupContextWithConfig = (config: SetupConfig): Promise<NetworkContext> => openContext(config);

/** Forks a chain for a test, and connects to it. Throws `BadConfig`, and the errors of endpoints. */
export const setupContext = async (option: SetupOption): Promise<NetworkContext> =>
  openContext(createConfig(option));

/** All of them, or none: those that have opened are closed if one cannot be. */
const openAll = async <Name extends string>(
  networks: readonly (readonly [Name, Config | string | undefined])[],
): Promise<[Name, NetworkContext][]> => {
  const opened: [Name, NetworkContext][] = [];
  try {
    for (const [name, config] of networks) opened.push([name, await openContext(config ?? name)]);
    return opened;
  } catch (error) {
    await Promise.allSettled(opened.map(([, { teardown }]) => teardown()));
    throw error;
  }
};

/** Builds a block on each chain. */
const buildOnEach = async (opened: readonly (readonly [string, NetworkContext])[]): Promise<void> => {
  for (const [, { dev }] of opened) await dev.newBlock();
};

/**
 * Forks chains, each given by its configuration or the path of one. They exchange no messages, which a warning says if there
 * are several. Throws `BadConfig`, and the errors of endpoints.
 */
export const setupNetworks = async <Name extends string>(
  networks: Readonly<Record<Name, Config | string | undefined>>,
): Promise<Record<Name, NetworkContext>> => {
  const entries = Object.entries(networks) as [Name, Config | string | undefined][];
  if (entries.length === 0)
    throw new NodeError('BadConfig', 'setupNetworks: name a chain and its configuration');
  const opened = await openAll(entries);
  if (opened.length > 1)
    // biome-ignore lint/suspicious/noConsole: a test that waits for a message would wait without knowing why
    console.warn(
      `setupNetworks: messages between ${entries.map(([name]) => name).join(', ')} (XCM) are not delivered: each chain stands alone. Test what the sender stores and what the receiver does apart`,
    );
  // The first block with another runtime runs its migrations, and a second one what they scheduled.
  if (entries.some(([, config]) => typeof config === 'object' && config['wasm-override'] !== undefined)) {
    await buildOnEach(opened);
    await buildOnEach(opened);
  }
  return Object.fromEntries(opened) as Record<Name, NetworkContext>;
};
