import { describe, expect, test } from 'vitest';
import { noBytes } from '../bytes/bytes.ts';
import { loadCrypto } from '../crypto/crypto.ts';
import { createEmptyBackend } from '../state/backend.ts';
import { createOverlay, type Overlay } from '../state/overlay.ts';
import { emptySource } from '../trie/node-source.ts';
import { buildEndlessCalls, type EndlessCall, endlessCalls } from './endless-calls.fixture.ts';
import { createExecutor } from './executor.ts';
import { costOf } from './host/costs.ts';
import { hostFunctions } from './host/index.ts';

const crypto = await loadCrypto();
/** About ten milliseconds of an empty loop. */
const fuel = 5_000_000n;

type Methods = Record<string, unknown>;
/** Returns a copy of the object that reports each function call. */
const watched = <T extends object>(target: T, tell: () => void): T =>
  Object.fromEntries(
    Object.entries(target as Methods).map(([name, value]) => [
      name,
      typeof value === 'function' && name !== 'steps' && name !== 'depth'
        ? (...args: unknown[]) => {
            tell();
            return (value as (...all: unknown[]) => unknown)(...args);
          }
        : value,
    ]),
  ) as T;

/**
 * Calls the loop in a runtime of its own; returns how it ended and how often state and cryptography were
 * used.
 */
const run = (name: EndlessCall | 'good') => {
  let uses = 0;
  const tell = (): void => {
    uses += 1;
  };
  const code = buildEndlessCalls({ good: [0x42, 16, 0x42, 4, 0x42, 32, 0x86, 0x84] });
  const runtime = createExecutor({ crypto: watched(crypto, tell) }, { fuel: { small: fuel } }).load(
    noBytes,
    code,
  );
  const backend = createEmptyBackend({ blake2b256: crypto.blake2b256, source: emptySource });
  const call = (method: string) =>
    runtime.call(watched<Overlay>(createOverlay(backend), tell), method, noBytes, { fuel: 'small' });
  uses = 0;
  const result = call(name);
  return { result, uses, after: call('good') };
};

/** The maximum amount of work that this much fuel may pay for. */
const bounds: Readonly<Record<EndlessCall, number>> = {
  cheapest: 100,
  sameValue: 300,
  newKeys: 20_000,
  newValues: 300,
  missingKeys: 100_000,
  hashes: 100,
  slowHashes: 100,
  shortHashes: 500_000,
  keysAndRoots: 5_000,
  allocations: 100,
  logs: 100,
  transactions: 100_000,
  appends: 20_000,
  undoneAppends: 100_000,
  prefixes: 20_000,
  signatures: 1_000,
  plainCode: 1_000,
  divisions: 20_000,
  nestedRoots: 5_000,
  undoneReads: 300,
  newChildren: 2_000,
  longNames: 20,
  longKeys: 60,
  slowestHashes: 7,
};

describe('endless host calls', () => {
  test.each(Object.keys(endlessCalls) as EndlessCall[])('%s ends by fuel, after a bounded number', (name) => {
    const { result, uses, after } = run(name);
    expect(result).toMatchObject({ ok: false, kind: 'fuel', trap: 'The call ran out of fuel' });
    expect(uses).toBeLessThan(bounds[name]);
    expect(result.logs.length).toBeLessThan(600);
    expect(after).toMatchObject({ ok: true, output: Uint8Array.of(1, 2, 3, 4) });
  });

  test('the same calls cost the same fuel each time', () => {
    expect(run('newKeys').uses).toBe(run('newKeys').uses);
  });
});

test('no handler takes more arguments than the meter passes on', () => {
  for (const { name, params, create } of hostFunctions.values()) {
    const handler = create({
      memory: { allocator: { malloc: () => 0, metered: null, free: () => 0 } },
      maxLogLevel: () => 3,
    } as never);
    // Calls that only pay per byte may make one more (`metered`).
    const { byte, state } = costOf(name);
    expect(handler.length, name).toBeLessThanOrEqual(byte !== 0 && !state ? 5 : 4);
    expect(handler.length, name).toBeLessThanOrEqual(params.length);
  }
});
