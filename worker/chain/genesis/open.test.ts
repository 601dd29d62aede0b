import { expect, it } from 'vitest';
import { createTestPlatform, testConfig } from '../../../test/rigs/platform.ts';
import { blockHashToBytes } from '../../codec/identity.ts';
import type { Batch, Database } from '../../db/database.ts';
import { createMemoryDatabase } from '../../db/memory.ts';
import { createNode } from '../../node.ts';

/** A disk with a chain of one block, whose best block has this hash. */
const writeChain = async () => {
  const disk = createMemoryDatabase();
  const db: Database = { ...disk, close: async () => undefined };
  const start = () => createNode(createTestPlatform({ db }), testConfig('development'));
  const node = await start();
  await node.parts.author.seal({ createEmpty: true, finalize: false });
  const best = blockHashToBytes(node.parts.chain.best().hash);
  await node.close();
  return { disk, start, best };
};

type Disk = Awaited<ReturnType<typeof writeChain>>;

const damages: readonly (readonly [what: string, (disk: Disk) => Batch | Promise<Batch>])[] = [
  ['the body of the best block', ({ best }) => ({ puts: [], deletes: [['bodies', best]] })],
  [
    'a byte of the runtime code',
    async ({ disk }) => {
      const nodes = (await disk.range('nodes')).toSorted(([, a], [, b]) => b.length - a.length);
      const [key, code] = nodes[0] ?? [new Uint8Array(), new Uint8Array()];
      expect(code.length).toBeGreaterThan(100_000);
      return { puts: [['nodes', key, code.map((byte, at) => (at === 1000 ? byte ^ 1 : byte))]], deletes: [] };
    },
  ],
];

it.each(damages)('a node does not start if its disk lost %s', async (_what, damage) => {
  const disk = await writeChain();
  await disk.disk.write(await damage(disk));
  await expect(disk.start()).rejects.toMatchObject({ code: 'StorageBroken' });
});
