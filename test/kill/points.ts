import type { BlockHash } from '../../worker/codec/identity.ts';
import { createControl } from '../../worker/control.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { createTestPlatform } from '../rigs/platform.ts';
import { createRandom } from '../rigs/random.ts';
import { sealOn } from '../rigs/seal-on.ts';
import { type Backend, createDisks, type Disk } from './disks.ts';
import { createFate, type Fault, faultKinds } from './fate.ts';
import { checkReborn, config, type Life, live, must, type Told } from './world.ts';

export type KillOptions = {
  readonly backend: Backend;
  readonly points: number;
  readonly seed: number;
  readonly onPoint?: (count: number) => void;
};

/** How often each step was hit by each fault. */
export type Tally = Map<string, number>;

type Random = { pick(count: number): number; oneOf<T>(list: readonly T[]): T };

/** A limit, because after each fault all blocks of a growing chain are read. */
const blocksOfWorld = 40;

const parentOf = async ({ parts: { chain } }: Node, hash: BlockHash, steps: number): Promise<BlockHash> => {
  let at = hash;
  for (let left = steps; left > 0 && at !== chain.genesisHash; left--)
    at = `0x${Buffer.from((await chain.loadHeader(at))?.parentHash ?? []).toString('hex')}` as BlockHash;
  return at;
};

/** Imports a block built by another node. */
const importForeign = async ({ node }: Life, twin: Node): Promise<unknown> => {
  const { chain } = node.parts;
  const missing: BlockHash[] = [];
  let known = chain.best().hash;
  while ((await twin.parts.chain.loadHeader(known)) === null) {
    missing.push(known);
    known = await parentOf(node, known, 1);
  }
  for (const hash of missing.reverse()) {
    const block = await chain.loadBlock(hash);
    if (block !== null) await twin.parts.chain.import(block);
  }
  const made = await twin.parts.chain.loadBlock(await sealOn(twin, chain.best().hash));
  return made === null ? null : chain.import(made);
};

type Step = (life: Life, random: Random, twin: Node) => Promise<unknown>;

const steps: Readonly<Record<string, Step>> = {
  seal: ({ node }) => sealOn(node),
  fork: async ({ node }, { pick }) => {
    const { chain } = node.parts;
    const room = chain.best().number - chain.finalized().number;
    return sealOn(node, await parentOf(node, chain.best().hash, pick(Math.min(3, room + 1))));
  },
  import: (life, _random, twin) => importForeign(life, twin),
  finalise: async ({ node }, { pick }) => {
    const { chain } = node.parts;
    const room = chain.best().number - chain.finalized().number;
    return chain.finalize(await parentOf(node, chain.best().hash, pick(Math.max(1, room))));
  },
  setHead: async ({ node }, { pick }) =>
    node.parts.dev.setHead(await parentOf(node, node.parts.chain.best().hash, 1 + pick(4)), true),
  flush: ({ node }) => node.close(),
};

const finish = (work: Promise<unknown>): Promise<'done' | 'failed'> =>
  work.then(
    () => 'done' as const,
    () => 'failed' as const,
  );

/**
 * Runs one step with one fault. Returns the resulting disk. The process has ended, unless the fault only
 * refused a write.
 */
const strike = async (
  life: Life,
  step: Step,
  fault: Fault,
  random: Random,
  twin: Node,
): Promise<{ readonly isHit: boolean; readonly isOver: boolean }> => {
  const struck = life.fate.arm(fault);
  const work = finish(step(life, random, twin));
  const isHit = (await Promise.race([struck.then(() => true), work.then(() => false)])) === true;
  if (!isHit) {
    life.fate.disarm();
    return { isHit, isOver: step === steps['flush'] };
  }
  if (fault.what === 'fail') await work;
  life.fate.disarm();
  const isClosed = step === steps['flush'];
  if (!isClosed && fault.what !== 'die') await life.look();
  const isOver = fault.what !== 'fail' || isClosed;
  if (isOver) life.fate.kill();
  if (isOver) await work;
  return { isHit, isOver };
};

const toldBy = ({ fate, told }: Life): Told => fate.stored.state.record ?? told;

/** Damages a record, runs a repair with the fault, then one without. */
const strikeRepair = async (disk: Disk, fault: Fault, random: Random): Promise<boolean> => {
  const raw = await disk.open();
  const store = random.oneOf(['headers', 'bodies', 'numbers', 'meta'] as const);
  const [key, stored] = random.oneOf(await raw.range(store));
  const bytes = stored.slice();
  const at = random.pick(bytes.length);
  bytes[at] = (bytes[at] as number) ^ (1 << random.pick(8));
  await raw.write({ puts: [[store, key, bytes]], deletes: [] }, (_store, _key, value) => value);
  await raw.close();
  const { blake2b256 } = await loadCrypto();
  let isHit = false;
  const repair = (wanted: Fault | null) => {
    const platform = {
      ...createTestPlatform(),
      openDamaged: async () => {
        const salvage = await disk.salvage(blake2b256);
        const fate = createFate(salvage.engine);
        if (wanted !== null)
          void fate.arm(wanted).then(() => {
            isHit = true;
            // Nothing waits for a process that has ended.
            fate.kill();
          });
        return { ...salvage, engine: fate.engine };
      },
    };
    return createControl(platform).repair(config, { apply: true });
  };
  const first = await repair(fault);
  must(isHit !== first.ok, 'a repair whose write failed says it is done');
  const second = await repair(null);
  must(second.ok, `the repair after the failed one: ${JSON.stringify(second)}`);
  return isHit;
};

const createWorlds = (disks: Awaited<ReturnType<typeof createDisks>>) => {
  let life: Life | null = null;
  let twin: Node | null = null;
  let blocks = 0;
  const end = async (): Promise<void> => {
    await life?.end();
    await twin?.close();
    [life, twin, blocks] = [null, null, 0];
  };
  return {
    end,
    current: async (): Promise<{ readonly life: Life; readonly twin: Node }> => {
      if (blocks++ >= blocksOfWorld) await end();
      life ??= await live(disks.empty());
      twin ??= await createNode(createTestPlatform(), config);
      return { life, twin };
    },
    /** Starts the next process. */
    rebirth: async (change: (disk: Disk) => Promise<void>): Promise<void> => {
      const before = life as Life;
      const disk = await before.disk.copy();
      await before.end();
      await change(disk);
      life = await live(disk);
    },
    alive: (): Life => life as Life,
  };
};

/** Injects faults into a chain until this many have hit. Throws at the first one that does harm. */
export const kill = async ({ backend, points, seed, onPoint }: KillOptions): Promise<Tally> => {
  const next = createRandom(seed);
  const random: Random = {
    pick: (count) => Math.floor(next() * count),
    oneOf: (list) => list[Math.floor(next() * list.length)] as never,
  };
  const disks = await createDisks(backend);
  const worlds = createWorlds(disks);
  const tally: Tally = new Map();
  const names = [...Object.keys(steps), 'repair'];
  let count = 0;
  try {
    while (count < points) {
      const { life, twin } = await worlds.current();
      const name = random.oneOf(names);
      const fault: Fault = { ...random.oneOf(faultKinds), nth: name === 'flush' ? random.pick(2) : 0 };
      const label = `${name}: ${fault.what} ${fault.when}`;
      let isHit = false;
      try {
        if (name === 'repair') {
          await worlds.rebirth(async (disk) => {
            isHit = await strikeRepair(disk, fault, random);
          });
        } else {
          const done = await strike(life, steps[name] as Step, fault, random, twin);
          isHit = done.isHit;
          if (done.isOver) await worlds.rebirth(async () => undefined);
          if (done.isOver) await checkReborn(worlds.alive().node, life.told, toldBy(life));
          else await sealOn(life.node);
        }
        await worlds.alive().look();
      } catch (cause) {
        throw new Error(`seed ${seed}, point ${count}, ${label}: ${String(cause)}`, { cause });
      }
      if (!isHit) continue;
      tally.set(label, (tally.get(label) ?? 0) + 1);
      count += 1;
      onPoint?.(count);
    }
    return tally;
  } finally {
    await worlds.end().catch(() => undefined);
    disks.end();
  }
};
