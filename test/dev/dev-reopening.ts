import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { describe, expect, it, vi } from 'vitest';
import type { Database } from '../../worker/db/database.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { checkWhole } from '../chain/whole-chain.ts';
import { openApi } from '../rigs/api.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { connectRpc } from '../rigs/rpc.ts';

/** A storage that is not lost when its user closes it. */
export type LastingStorage = { open(): Promise<Database> };

const key = '0xfeedbeef';
const config = testConfig('development', { finality: { kind: 'manual' } });

/** A crash before or after the n-th write. The data stays as the write left it. */
type Death = { readonly write: number; readonly when: 'before' | 'after' };

/** The database of a process that crashes in the middle: none of its later writes are stored. */
const mortal = (db: Database) => {
  let writes = 0;
  let death: Death | null = null;
  let isDead = false;
  const die = async (): Promise<never> => {
    isDead = true;
    await db.close();
    throw new Error('killed');
  };
  const write: Database['write'] = async (batch) => {
    if (isDead) throw new Error('killed');
    const isLast = death?.write === writes++;
    if (isLast && death?.when === 'before') return die();
    await db.write(batch);
    if (isLast) return die();
  };
  return {
    db: { ...db, write },
    kill: async (): Promise<void> => {
      isDead = true;
      await db.close();
    },
    /** Counts writes from now on. */
    dieAt: (next: Death | null): void => {
      writes = 0;
      death = next;
    },
    writes: () => writes,
    isDead: () => isDead,
  };
};

const open = async (storage: LastingStorage) => {
  const life = mortal(await storage.open());
  const node = await createNode(createTestPlatform({ db: life.db }), config);
  return { node, life, ...connectRpc(node) };
};
type Opened = Awaited<ReturnType<typeof open>>;

type Listed = { name: string; hash: string };
const listed = ({ call }: Pick<Opened, 'call'>): Promise<Listed[]> => call('dev_listSnapshots');

const alice = new Keyring({ type: 'sr25519' });

/** A signed call of Alice that does nothing, as hex. */
const signRemark = async (node: Node, nonce: number): Promise<string> => {
  await cryptoWaitReady();
  const { api, close } = await openApi(node);
  const signed = await api.tx['system']
    ?.['remark']?.('0x01')
    .signAsync(alice.addFromUri('//Alice'), { nonce });
  await close();
  return signed?.toHex() ?? '';
};

/** The chain as seen by a client. */
const look = async ({ node, call }: Opened) => ({
  best: node.parts.chain.best().hash,
  finalized: node.parts.chain.finalized().hash,
  hashes: await Promise.all([0, 1, 2, 3, 4, 5].map((number) => call('chain_getBlockHash', number))),
  storage: await call('state_getStorage', key),
  offchain: await call('offchain_localStorageGet', 'PERSISTENT', key),
  snapshots: (await listed({ call })).sort((a, b) => (a.name < b.name ? -1 : 1)),
});

/** Two blocks and a snapshot, then three more with a changed state and another snapshot. */
const prepare = async (opened: Opened): Promise<void> => {
  const { call } = opened;
  await call('dev_newBlock', { count: 2, finalize: true });
  await call('offchain_localStorageSet', 'PERSISTENT', key, '0x01');
  await call('dev_snapshot', 'low');
  await call('dev_newBlock', { count: 2 });
  await call('dev_setStorage', [[key, '0x0102']]);
  await call('offchain_localStorageSet', 'PERSISTENT', key, '0x02');
  await call('dev_newBlock', { count: 1 });
  await call('dev_snapshot', 'high');
};

const operations: Readonly<Record<string, readonly [method: string, ...params: unknown[]]>> = {
  'dev_setHead to a lower block': ['dev_setHead', 3],
  'dev_setHead below the finalized block': ['dev_setHead', 1],
  'dev_restore of the lower snapshot': ['dev_restore', 'low'],
  dev_reset: ['dev_reset'],
  dev_deleteSnapshot: ['dev_deleteSnapshot', 'low'],
};

/** Checks that the chain continues, and that each listed snapshot can be restored. */
const goOn = async (opened: Opened): Promise<void> => {
  const { node, call } = opened;
  await checkWhole(node);
  const { number } = node.parts.chain.best();
  await call('dev_newBlock');
  expect(node.parts.chain.best().number).toBe(number + 1);
  const snapshots = await listed(opened);
  for (const { name, hash } of snapshots) {
    await call('dev_restore', name);
    expect(node.parts.chain.best().hash).toBe(hash);
    await checkWhole(node);
  }
  for (const name of ['low', 'high'].filter((one) => snapshots.every((other) => other.name !== one)))
    await expect(call('dev_restore', name)).rejects.toThrow('There is no snapshot');
};

const end = async (node: Node): Promise<void> => {
  await node.close();
};

/** Runs the same tests on each storage: the effects of the dev methods, and of a crash during one. */
export const devReopening = (name: string, create: () => LastingStorage): void => {
  it(`${name}: transactions in the pool are there when reopened, and go into the next block`, async () => {
    const storage = create();
    const first = await open(storage);
    const texts = await Promise.all([0, 1].map((nonce) => signRemark(first.node, nonce)));
    // The second one waits for the first.
    await first.call('author_submitExtrinsic', texts[1]);
    await first.call('author_submitExtrinsic', texts[0]);
    await vi.waitFor(async () => expect(await first.life.db.range('pool')).toHaveLength(2));
    await first.life.kill();
    const second = await open(storage);
    expect(await second.call('author_pendingExtrinsics')).toEqual(texts);
    await second.call('dev_newBlock');
    expect(await second.call('author_pendingExtrinsics')).toEqual([]);
    const { block } = await second.call<{ block: { extrinsics: string[] } }>('chain_getBlock');
    expect(block.extrinsics).toEqual(expect.arrayContaining(texts));
    await end(second.node);
  });

  describe.each(Object.entries(operations))(`${name}: %s`, (_title, [method, ...params]) => {
    it('persists when reopened, and the chain continues', async () => {
      const storage = create();
      const first = await open(storage);
      await prepare(first);
      const before = await look(first);
      await first.call(method, ...params);
      const after = await look(first);
      expect(after).not.toEqual(before);
      // The node is not closed: everything it has responded to is stored.
      await first.life.kill();
      const second = await open(storage);
      expect(await look(second)).toEqual(after);
      await goOn(second);
      await end(second.node);
    });

    it('killed before or after any of its writes, it has taken effect completely or not at all', async () => {
      const whole = await open(create());
      await prepare(whole);
      whole.life.dieAt(null);
      await whole.call(method, ...params);
      const writes = whole.life.writes();
      await end(whole.node);
      expect(writes).toBeGreaterThan(0);
      const seen = new Set<string>();
      for (let write = 0; write < writes; write++)
        for (const when of ['before', 'after'] as const) {
          const storage = create();
          const first = await open(storage);
          await prepare(first);
          const before = await look(first);
          first.life.dieAt({ write, when });
          await first.call(method, ...params).catch(() => undefined);
          expect(first.life.isDead()).toBe(true);
          const second = await open(storage);
          const left = await look(second);
          const isOld = JSON.stringify(left) === JSON.stringify(before);
          seen.add(isOld ? 'old' : 'new');
          if (!isOld) {
            // The result without a crash: repeating the call makes no further changes.
            await second.call(method, ...params);
            expect(await look(second)).toEqual(left);
          }
          await goOn(second);
          await end(second.node);
        }
      // The first crash leaves the old chain, the last one the new chain.
      expect([...seen].sort()).toEqual(['new', 'old']);
    });
  });
};
