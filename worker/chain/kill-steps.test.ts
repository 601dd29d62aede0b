import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { checkWhole } from '../../test/chain/whole-chain.ts';
import { openApi } from '../../test/rigs/api.ts';
import { createTestPlatform, testConfig } from '../../test/rigs/platform.ts';
import type { Block } from '../codec/block.ts';
import type { BlockHash } from '../codec/identity.ts';
import type { Database } from '../db/database.ts';
import { openSqliteDatabase } from '../db/sqlite.ts';
import { createNode, type Node } from '../node.ts';

// Each mock calls the real function after counting a tick.
const fate = vi.hoisted(() => {
  const state = {
    /** The current step, for ticks of its inner calls. */
    within: null as 'propose' | 'verify' | 'execute' | null,
    counts: new Map<string, number>(),
    plan: null as { readonly step: string; readonly nth: number } | null,
    /** Copies the files at the moment of the process's death. */
    bury: (): void => undefined,
    dead: false,
  };
  const tick = (step: string | null): void => {
    if (step === null || state.dead) return;
    const nth = state.counts.get(step) ?? 0;
    state.counts.set(step, nth + 1);
    if (state.plan?.step !== step || state.plan.nth !== nth) return;
    state.dead = true;
    state.bury();
    throw new Error(`killed in ${step} at ${nth}`);
  };
  const during = <T>(step: typeof state.within, work: () => T): T => {
    state.within = step;
    const end = (): void => {
      state.within = null;
    };
    try {
      const result = work();
      if (result instanceof Promise) return result.finally(end) as T;
      end();
      return result;
    } catch (error) {
      end();
      throw error;
    }
  };
  const around = <F extends (...args: never[]) => unknown>(step: typeof state.within, work: F): F =>
    ((...args) => during(step, () => work(...args))) as F;
  return Object.assign(state, { tick, around });
});

vi.mock(import('../executor/host/index.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    handlerFor: (host, entry) => {
      const handler = real.handlerFor(host, entry);
      return (...args: never[]) => {
        if (fate.within !== 'verify') fate.tick(fate.within);
        return (handler as (...all: never[]) => never)(...args);
      };
    },
  };
});
vi.mock(import('../author/proposer.ts'), async (original) => {
  const real = await original();
  return { ...real, proposeBlock: fate.around<typeof real.proposeBlock>('propose', real.proposeBlock) };
});
vi.mock(import('./import/verify.ts'), async (original) => {
  const real = await original();
  const verifyBlock: typeof real.verifyBlock = (...args) => {
    fate.tick('verify');
    return real.verifyBlock(...args);
  };
  return { ...real, verifyBlock: fate.around('verify', verifyBlock) };
});
vi.mock(import('./import/execute.ts'), async (original) => {
  const real = await original();
  return { ...real, executeBlock: fate.around('execute', real.executeBlock) };
});
vi.mock(import('./tree.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    createBlockTree: (root) => {
      const tree = real.createBlockTree(root);
      const ticking =
        <A extends unknown[], R>(step: string, work: (...args: A) => R) =>
        (...args: A): R => {
          fate.tick(step);
          return work(...args);
        };
      return {
        ...tree,
        isBetter: ticking('choose', tree.isBetter),
        insert: ticking('accept', tree.insert),
        route: ticking('choose', tree.route),
      };
    },
  };
});

/** Dies before the transaction, at each record in it, and after it. */
const watched = (db: Database): Database => ({
  ...db,
  write: async (batch) => {
    fate.tick('before commit');
    const puts = batch.puts.map(([store, key, value]) =>
      // Only the writer reads this, while the transaction is open.
      Object.defineProperty([store, key, value] as const, 2, {
        get: () => {
          fate.tick('commit');
          return value;
        },
      }),
    );
    await db.write({ ...batch, puts });
    fate.tick('after commit');
  },
});

const files = ['chain.sqlite', 'chain.sqlite-wal'];
let folder = '';
let graves = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tabnode-kills-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const newGrave = (): string => {
  const grave = join(folder, String(graves++));
  mkdirSync(grave);
  return grave;
};

const open = async (place: string): Promise<Node> => {
  const platform = createTestPlatform();
  const crypto = await platform.loadCrypto();
  const db = await openSqliteDatabase(join(place, 'chain.sqlite'));
  return createNode(
    {
      ...platform,
      openDatabase: async () => watched(db),
      loadCrypto: async () => ({
        ...crypto,
        blake2b256: (bytes) => {
          if (fate.within === 'verify') fate.tick('verify');
          return crypto.blake2b256(bytes);
        },
      }),
    },
    testConfig('development'),
  );
};

type Work = (node: Node) => Promise<unknown>;

/** Counts the work's ticks by step: these are the points where it can die. */
const rehearse = async (place: string, work: Work): Promise<ReadonlyMap<string, number>> => {
  const node = await open(place);
  node.parts.chain.onEvent(() => fate.tick('notify'));
  Object.assign(fate, { plan: null, dead: false, counts: new Map() });
  await work(node);
  const counts = new Map(fate.counts);
  await node.close();
  return counts;
};

/**
 * Points spread from the first one on. The number of ticks differs slightly between blocks, so the last
 * quarter is left out.
 */
const spread = (step: string, count: number, kills: number) => {
  const last = count < 8 ? count - 1 : Math.floor(count * 0.75);
  const moments = Array.from({ length: kills }, (_, at) => Math.round((at * last) / (kills - 1)));
  return [...new Set(moments)].map((nth) => ({ step, nth }));
};

/** Up to the commit the old block is expected, afterwards the new one. */
const survives = (step: string): boolean => ['after commit', 'accept', 'notify'].includes(step);

/** Runs the work until it dies. Returns the folder left behind and the position of the chain before. */
const killIn = async (place: string, plan: { readonly step: string; readonly nth: number }, work: Work) => {
  const node = await open(place);
  const before = node.parts.chain.best().number;
  const grave = newGrave();
  node.parts.chain.onEvent(() => fate.tick('notify'));
  Object.assign(fate, {
    plan,
    dead: false,
    counts: new Map(),
    bury: () => {
      for (const name of files)
        if (existsSync(join(place, name))) copyFileSync(join(place, name), join(grave, name));
    },
  });
  await work(node).catch(() => undefined);
  expect(fate.dead, `${plan.step} ${plan.nth}`).toBe(true);
  await node.close().catch(() => undefined);
  return { grave, before };
};

const seal: Work = (node) => node.parts.author.seal({ createEmpty: true, finalize: false });

/** Blocks of a chain with transfers, to be imported elsewhere. */
const makeBlocks = async (count: number): Promise<readonly Block[]> => {
  await cryptoWaitReady();
  const node = await createNode(createTestPlatform(), testConfig('development'));
  const { api, close } = await openApi(node);
  const keyring = new Keyring({ type: 'sr25519' });
  const [alice, bob] = [keyring.addFromUri('//Alice'), keyring.addFromUri('//Bob')];
  const blocks: Block[] = [];
  for (let nonce = 0; nonce < count; nonce++) {
    await api.tx['balances']?.['transferKeepAlive']?.(bob.address, 10n ** 12n).signAndSend(alice, { nonce });
    await seal(node);
    blocks.push((await node.parts.chain.loadBlock(node.parts.chain.best().hash)) as Block);
  }
  await close();
  await node.close();
  return blocks;
};

const bestOf = (node: Node): { readonly hash: BlockHash; readonly number: number } => node.parts.chain.best();

/**
 * Dies at several points of each step. Each node starts from what the previous one left, has either the old
 * or the new block, and continues. Returns how often it died.
 */
const dieEverywhere = async (
  work: Work,
  steps: readonly string[],
  kills: (step: string) => number,
): Promise<number> => {
  let place = newGrave();
  await rehearse(place, work);
  const counts = await rehearse(place, work);
  expect([...counts.keys()].sort()).toEqual(steps);
  const plans = [...counts].flatMap(([step, count]) => spread(step, count, kills(step)));
  for (const plan of plans) {
    const { grave, before } = await killIn(place, plan, work);
    const node = await open(grave);
    expect(bestOf(node).number, plan.step).toBe(survives(plan.step) ? before + 1 : before);
    await checkWhole(node);
    if (!survives(plan.step)) expect(await work(node)).toMatchObject({ ok: true });
    expect(bestOf(node).number).toBe(before + 1);
    await node.close();
    place = grave;
  }
  return plans.length;
};

const inBoth = ['accept', 'after commit', 'before commit', 'choose', 'commit'];

describe('after a kill at any step of the pipeline, the chain has the old block or the new one', () => {
  it('importing blocks', async () => {
    const blocks = await makeBlocks(33);
    const importNext: Work = (node) =>
      node.parts.chain.import(blocks[bestOf(node).number] as Block, { origin: 'file' });
    const steps = [...inBoth, 'execute', 'notify', 'verify'];
    expect(await dieEverywhere(importNext, steps, (step) => (step === 'execute' ? 12 : 4))).toBeGreaterThan(
      25,
    );
  }, 240_000);

  it('authoring blocks', async () => {
    const steps = [...inBoth, 'notify', 'propose', 'verify'];
    expect(await dieEverywhere(seal, steps, (step) => (step === 'propose' ? 12 : 3))).toBeGreaterThan(20);
  }, 240_000);
});
