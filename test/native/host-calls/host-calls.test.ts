import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Crypto } from '../../../worker/crypto/crypto.ts';
import type { HostContext, HostFunction } from '../../../worker/executor/host/context.ts';
import { hostFunctions } from '../../../worker/executor/host/index.ts';
import { hasFixtures } from '../../rigs/fixtures.ts';
import { hasNativeNode } from '../native-rig.ts';
import { checkEach, checkFixed, checkSequences, reached } from './check.ts';
import { compare } from './compare.ts';
import { type Difference, knownDifferences } from './differences.ts';
import { edgeSweep, oneOfEach } from './edges.ts';
import { longLists } from './long-lists.ts';
import { type Pair, type Pairs, startOurs, startPairs } from './nodes.ts';
import { loadReports } from './reports.ts';
import { createSeededCrypto } from './signatures.ts';

/** Random, but the same in each run; the script draws others with `--seed`. */
const seed = 1;
const count = 300;
const length = 60;

describe.skipIf(!hasNativeNode)(
  'host calls compared with those of a native node (shared native-node)',
  () => {
    let nodes: Pairs;
    let crypto: Crypto;
    beforeAll(async () => {
      [nodes, crypto] = await Promise.all([startPairs(), createSeededCrypto()]);
    }, 180_000);
    afterAll(() => nodes.close());

    const pairOf = (version: 0 | 1): Pair => nodes.pairs[version] as Pair;

    it('each function of the table, called once', async () => {
      const calls = oneOfEach();
      expect(reached(calls).sort()).toEqual([...hostFunctions.keys()].sort());
      expect(await checkEach(pairOf(1), calls)).toEqual([]);
    }, 120_000);

    it(`${count} random sequences, which reach all functions that a native node offers`, async () => {
      const { pairs } = nodes;
      const { failure, names } = await checkSequences({ pairs, crypto, count, length, seed });
      expect(failure).toBeNull();
      // The rest are in `oneOfEach`: where the call traps in any context that a client can ask for.
      const missed = [...hostFunctions.keys()].filter(
        (name) => !names.has(name) && !/offchain|sandbox|bls/.test(name),
      );
      expect(missed.filter((name) => !reached(oneOfEach()).includes(name))).toEqual([]);
    }, 300_000);

    it('each argument of each function at its limits', async () => {
      expect(await checkEach(pairOf(1), edgeSweep())).toEqual([]);
    }, 300_000);

    it.each(longLists)('%s', async (_, calls) => {
      expect(await checkFixed(pairOf(0), [calls])).toEqual([]);
    });

    const stillDiffers = async ({ example, withKeystore, covers }: Difference): Promise<void> => {
      const { found } = await compare(pairOf(1), example, {
        withKeystore: withKeystore === true,
        differences: [],
      });
      expect(found, 'no difference any more: delete the entry').not.toBeNull();
      expect(found !== null && covers(found)).toBe(true);
    };
    it.each(knownDifferences)('a difference that is known: $name', stillDiffers);

    it.skipIf(!hasFixtures)(
      'calls from public reports of faults (shared fixtures)',
      async () => {
        const reports = await loadReports();
        expect(reports.length).toBeGreaterThan(20);
        for (const [name, calls] of reports)
          expect([name, await checkFixed(pairOf(1), [calls])]).toEqual([name, []]);
      },
      120_000,
    );

    describe('a fault planted in one host function is found', () => {
      type Handler = (...args: unknown[]) => unknown;
      const plant = (name: string, change: (handler: Handler, host: HostContext) => Handler): void => {
        const row = hostFunctions.get(name) as HostFunction;
        const { create } = row;
        const spy = vi.spyOn(row, 'create');
        spy.mockImplementation(
          (host) => change(create(host) as Handler, host) as ReturnType<HostFunction['create']>,
        );
        onTestFinished(() => spy.mockRestore());
      };
      const startFaulty = async (): Promise<Pair> => {
        const faulty = await startOurs(nodes.specs[0] as string);
        onTestFinished(faulty.close);
        return { ours: faulty.run, native: pairOf(0).native };
      };
      /** Lines of the shortest sequence that shows the fault, without the two results. */
      const findFault = async (): Promise<string[]> => {
        const pairs = [await startFaulty()];
        const options = { pairs, crypto, count: 1000, length, seed, keystores: false };
        const { failure } = await checkSequences(options);
        return failure?.split('\n').slice(0, -2) ?? [];
      };

      it('an offset that is off by one', async () => {
        const name = 'ext_storage_read_version_1';
        plant(name, (handler) => (key, out, offset) => handler(key, out, (offset as number) + 1));
        const lines = await findFault();
        expect(lines.length).toBeLessThan(4);
        expect(lines.join()).toContain(name);
      }, 300_000);

      it('a rollback that keeps what it should drop', async () => {
        const name = 'ext_storage_rollback_transaction_version_1';
        plant(name, (_, { call }) => () => {
          call.openTransactions--;
          call.overlay.commitTransaction();
        });
        const lines = await findFault();
        expect(lines.length).toBeLessThan(6);
        expect(lines.join()).toContain(name);
      }, 300_000);

      it('an argument that is not checked', async () => {
        const name = 'ext_misc_print_hex_version_1';
        plant(name, () => () => undefined);
        const faulty = await startFaulty();
        const calls = edgeSweep().filter((call) => call.name === name);
        const failures = await checkEach(faulty, calls);
        expect(failures.length).toBeGreaterThan(5);
        expect(failures[0]).toContain('out of bounds');
      }, 60_000);
    });
  },
);
