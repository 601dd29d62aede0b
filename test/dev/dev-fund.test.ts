import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DevNode, startDevNode } from '../rigs/dev-node.ts';
import { createRandom } from '../rigs/random.ts';

const unit = 10n ** 12n;
const amount = String(unit);

describe('dev_fund while the head moves', () => {
  let dev: DevNode;
  beforeEach(async () => {
    dev = await startDevNode({ changes: { finality: { kind: 'manual' } } });
  });
  afterEach(() => dev.stop());

  const fund = (): Promise<{ hash: string }> =>
    dev.call('dev_fund', dev.pair('//Zoe').address, amount) as Promise<{ hash: string }>;

  it('keeps sealing if the returned transactions need more than one block', async () => {
    for (let made = 0; made < 6; made++) await fund();
    // Moves twice: the transaction returned by the first move depends on one removed by the second, but the
    // pool does not know that.
    await dev.call('dev_setHead', -2);
    await dev.call('dev_setHead', -2);
    expect(dev.best().number).toBe(2);
    const { hash } = await fund();
    expect(hash).toBe(dev.best().hash);
    expect(dev.best().number).toBe(4);
    expect(await dev.free(dev.pair('//Zoe').publicKey)).toBe(unit);
    expect(await dev.call('author_pendingExtrinsics')).toEqual([]);
  });

  it.each([1, 2])('settles every call under rapid moves and changes of seal mode (seed %i)', async (seed) => {
    const random = createRandom(seed);
    const calls: (() => Promise<unknown>)[] = [
      fund,
      () => dev.call('dev_setHead', -Math.floor(random() * 3)),
      () => dev.call('dev_newBlock', { count: 1 + Math.floor(random() * 2) }),
      () => dev.call('dev_setSealMode', { kind: random() < 0.5 ? 'manual' : 'instant' }),
      () => dev.call('engine_createBlock', true, random() < 0.2),
    ];
    const under: Promise<unknown>[] = [];
    for (let step = 0; step < 80; step++) {
      const call = calls[Math.floor(random() * calls.length)] as (typeof calls)[number];
      under.push(call().catch((error: unknown) => error));
      if (random() < 0.5) await under.at(-1);
    }
    await Promise.all(under);
    await dev.call('dev_setSealMode', { kind: 'manual' });
    expect((await fund()).hash).toBe(dev.best().hash);
  });
});
