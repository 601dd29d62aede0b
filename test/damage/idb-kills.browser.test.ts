import { describe, expect, it } from 'vitest';
import { startNodeIn, type TabNode } from '../../src/index.ts';
import { openIdbDatabase } from '../../worker/db/idb.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { checkWhole } from '../chain/whole-chain.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { createRandom } from '../rigs/random.ts';

const inPage = 'document' in globalThis;
const rounds = 12;
const random = createRandom(3);

const start = async (name: string): Promise<{ readonly node: TabNode; kill(): void }> => {
  const worker = new Worker(new URL('../../worker/main.ts', import.meta.url), { type: 'module' });
  const kill = (): void => worker.terminate();
  const host = { endpoint: worker, onDeath: () => undefined, terminate: kill };
  const node = await startNodeIn(host, { storage: { kind: 'indexeddb', name }, seal: 'manual' });
  return { node, kill };
};

/** Opens in the page the chain that a terminated worker left behind. */
const reopen = async (name: string): Promise<Node> =>
  createNode(createTestPlatform({ db: await openIdbDatabase(name) }), testConfig('development'));

const spin = (ms: number): void => {
  for (const end = performance.now() + ms; performance.now() < end; );
};

const seal = (node: TabNode): Promise<unknown> =>
  node.rpc.engine_createBlock({ create_empty: true, finalize: false });

describe.skipIf(!inPage)('a worker terminated at random moments, with its chain in IndexedDB', () => {
  it(`leaves the old block or the new one, ${rounds} times`, async () => {
    const name = 'tabnode-kills';
    let best = 0;
    let unfinished = 0;
    for (let round = 0; round < rounds; round++) {
      const { node, kill } = await start(name);
      expect(node.info.bestNumber).toBe(best);
      const whole = 1 + Math.floor(random() * 3);
      for (let k = 0; k < whole; k++) await seal(node);
      const from = performance.now();
      await seal(node);
      const usualMs = performance.now() - from;
      void seal(node).catch(() => undefined);
      spin(random() * usualMs * (round % 2 === 0 ? 0.7 : 3));
      kill();
      const left = await reopen(name);
      const { number } = left.parts.chain.best();
      expect([best + whole + 1, best + whole + 2]).toContain(number);
      if (number === best + whole + 1) unfinished++;
      await checkWhole(left);
      const sealed = await left.parts.author.seal({ createEmpty: true, finalize: false });
      expect(sealed).toMatchObject({ ok: true, number: number + 1 });
      best = number + 1;
      await left.close();
    }
    // Kills must hit neither always before nor always after the write, or the test would prove nothing.
    expect(unfinished).toBeGreaterThan(0);
    expect(unfinished).toBeLessThan(rounds);
  }, 240_000);
});
