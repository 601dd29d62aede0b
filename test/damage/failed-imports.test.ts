import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../worker/db/database.ts';
import { link } from '../network/link-rig.ts';
import { type DevNode, rejection, startDevNode } from '../rigs/dev-node.ts';
import { openPort } from '../rigs/ports.ts';
import { createFullDisk } from './full-disk.ts';

const manual = { changes: { finality: { kind: 'manual' } } } as const;

/** Resolves when the chain of a node has a block. */
const untilBest = (dev: DevNode, hash: string): Promise<void> =>
  new Promise((resolve) => {
    const off = dev.node.parts.chain.onEvent(() => check());
    const check = (): void => {
      if (dev.best().hash !== hash) return;
      off?.();
      resolve();
    };
    check();
  });

/** Fails imports in one of the ways in which they throw instead of refusing the block. */
const faults = [
  { name: 'a full disk', code: 'StorageQuota' },
  { name: 'damage', code: 'StorageBroken' },
] as const;

describe.each(faults)('after an import that failed because of $name', ({ code }) => {
  let disk: ReturnType<typeof createFullDisk>;
  let source: DevNode;
  let node: DevNode;
  beforeEach(async () => {
    disk = createFullDisk(code);
    // Its blocks are in the past of the other node.
    source = await startDevNode({ changes: { ...manual.changes, clock: { startMs: Date.UTC(2029, 0, 1) } } });
    const db: Database = disk.db;
    node = await startDevNode({ ...manual, db });
  });
  afterEach(async () => {
    disk.free();
    node.platform.errors.length = 0;
    await Promise.all([source.stop(), node.stop()]);
  });

  it('a link goes on', async () => {
    await link(source, node);
    await expect.poll(() => node.node.parts.network.peers().length).toBe(1);
    // The key of the node is written before.
    await node.node.parts.keystore.flush();
    disk.fill();
    await source.call('dev_newBlock', { count: 3 });
    await expect.poll(() => node.platform.errors).toMatchObject([{ code }]);
    expect(node.best().number).toBe(0);
    disk.free();
    await source.call('dev_newBlock');
    await untilBest(node, source.best().hash);
    expect(node.best().number).toBe(4);
  });

  it('a file is imported, and what was refused is not missing', async () => {
    await source.call('dev_newBlock', { count: 3 });
    const file = await source.call<string>('dev_exportChain', 'json');
    disk.fill();
    expect(await rejection(node.call('dev_importChain', file, true))).toHaveProperty('code');
    disk.free();
    // The import holds nothing back.
    expect(node.node.parts.author.heldMs()).toBe(0);
    expect(await node.call('dev_importChain', file)).toMatchObject({ blocks: 3, hash: source.best().hash });
    await node.call('dev_newBlock');
    expect(node.best().number).toBe(4);
  });

  it.each([{ kind: 'instant' }, { kind: 'interval', ms: 50 }] as const)(
    'the node seals on: $kind',
    async (mode) => {
      disk.fill();
      await node.call('dev_setSealMode', mode);
      const transfer = await node.transfer('//Alice', node.pair('//Bob').publicKey, 10n ** 12n, 0);
      await node.call('author_submitExtrinsic', transfer);
      await expect.poll(() => node.node.parts.sealing.fault()?.code).toBe(code);
      disk.free();
      const next = await node.transfer('//Alice', node.pair('//Bob').publicKey, 10n ** 12n, 1);
      await node.call('author_submitExtrinsic', next);
      await expect.poll(() => node.best().number).toBeGreaterThan(0);
      expect(node.node.parts.sealing.fault()).toBeNull();
      await node.call('dev_setSealMode', { kind: 'manual' });
    },
  );
});

describe('two imports at once', () => {
  it('hold the blocks of the node independently of each other', async () => {
    const source = await startDevNode();
    await source.call('dev_newBlock', { count: 4 });
    const [first, last] = await Promise.all([
      source.call<string>('dev_exportChain', 'json', 1, 2),
      source.call<string>('dev_exportChain', 'json', 3, 4),
    ]);
    const node = await startDevNode();
    const other = openPort(node.node);
    await node.call('dev_importChain', first, true);
    await other.request('dev_importChain', [first]);
    expect(await rejection(node.call('dev_newBlock'))).toMatchObject({
      message: expect.stringContaining('Blocks are being imported'),
    });
    // Nor does one that fails.
    await rejection(other.request('dev_importChain', ['{"block":0}', true]));
    expect(await rejection(node.call('dev_newBlock'))).toHaveProperty('code');
    expect(await node.call('dev_importChain', last)).toMatchObject({ number: 4, hash: source.best().hash });
    await node.call('dev_newBlock');
    expect(node.best().number).toBe(5);
    other.shut();
    await Promise.all([source.stop(), node.stop()]);
  });
});
