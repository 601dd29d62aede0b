import type { NodeConfig } from '../../src/protocol/node.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import type { Engine } from '../../worker/db/checked.ts';
import type { Database } from '../../worker/db/database.ts';
import { createMemoryDatabase, createMemoryEngine } from '../../worker/db/memory.ts';
import { salvageInPlace } from '../../worker/db/salvage.ts';
import type { Platform } from '../../worker/node.ts';

// A page or one of its workers.
const inBrowser = 'location' in globalThis;

const loadRuntimeFile = async (name: string): Promise<Uint8Array> => {
  if (inBrowser) return new Uint8Array(await (await fetch(`/${name}`)).arrayBuffer());
  const fs = await import(/* @vite-ignore */ `node:${'fs'}/promises`);
  return new Uint8Array(await fs.readFile(new URL(`../../public/${name}`, import.meta.url)));
};

/** The default runtime and its successor, as committed under public/. */
export const loadDefaultRuntime = (): Promise<Uint8Array> =>
  loadRuntimeFile('tabnode-runtime.compact.compressed.wasm');
export const loadNextRuntime = (): Promise<Uint8Array> =>
  loadRuntimeFile('tabnode-runtime-next.compact.compressed.wasm');

const loadOpenRpc = async (): Promise<string> => {
  if (inBrowser) return (await fetch('/docs/openrpc.json')).text();
  const fs = await import(/* @vite-ignore */ `node:${'fs'}/promises`);
  return fs.readFile(new URL('../../docs/openrpc.json', import.meta.url), 'utf8');
};

/**
 * A clock that starts at the same time on each platform. Slots are derived from it, so BABE's lottery, which
 * decides between forks, has the same result in each run.
 */
const createWall = (): (() => number) => {
  const began = performance.now();
  return () => Date.UTC(2030, 0, 1) + Math.floor(performance.now() - began);
};

/** A platform for tests: memory storage unless a database is given, real crypto, errors collected. */
export const createTestPlatform = (
  options: { readonly db?: Database; readonly damaged?: Engine; readonly now?: () => number } = {},
): Platform & { readonly errors: unknown[] } => {
  const errors: unknown[] = [];
  return {
    errors,
    loadCrypto,
    openDatabase: async () => options.db ?? createMemoryDatabase(),
    openDamaged: async () => salvageInPlace(options.damaged ?? createMemoryEngine()),
    loadRuntime: loadDefaultRuntime,
    loadOpenRpc,
    lock: async () => () => undefined,
    now: options.now ?? createWall(),
    schedule: (ms, run) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    onError: (error) => {
      errors.push(error);
    },
  };
};

export const testConfig = (chain: NodeConfig['chain'], changes: Partial<NodeConfig> = {}): NodeConfig => ({
  chain,
  storage: { kind: 'memory' },
  seal: { kind: 'manual' },
  finality: { kind: 'instant' },
  dialect: 'polkadot-sdk',
  keys: ['//Alice'],
  ...changes,
});
