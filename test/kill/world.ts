import { checkHead } from '../../worker/chain/genesis/open.ts';
import type { BlockRef } from '../../worker/chain/tree.ts';
import type { BlockHash } from '../../worker/codec/identity.ts';
import { openChecked } from '../../worker/db/migrate.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { checkWhole } from '../chain/whole-chain.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { openPort } from '../rigs/ports.ts';
import { sealOn } from '../rigs/seal-on.ts';
import type { Disk } from './disks.ts';
import { createFate, type Fate } from './fate.ts';

export const config = testConfig('development', { finality: { kind: 'manual' } });

export class Broken extends Error {}
export const must = (holds: boolean, what: string): void => {
  if (!holds) throw new Broken(what);
};

/** The head and finality of a chain that were reported last. */
export type Told = { best: BlockRef; finalized: BlockRef };

export type Life = {
  readonly disk: Disk;
  readonly node: Node;
  readonly fate: Fate;
  readonly told: Told;
  readonly errors: readonly unknown[];
  /** Compares the node's reports with what is stored. */
  look(): Promise<void>;
  /** Releases everything, in any state. */
  end(): Promise<void>;
};

/** Checks that every event is about data that is already stored. */
const listen = ({ parts: { chain } }: Node, { stored }: Fate, told: Told, faults: string[]): void => {
  const need = (holds: boolean, what: string): void => {
    if (!holds) faults.push(what);
  };
  chain.onEvent((event) => {
    const { record } = stored.state;
    const { kind, hash, number } = event;
    need(stored.headers.has(hash), `${kind} tells of block #${number}, which is not stored`);
    if (kind === 'finalized') {
      need(
        (record?.finalized.number ?? -1) >= number,
        `#${number} was told to be final and is not stored so`,
      );
      told.finalized = { hash, number };
    }
    if (kind === 'moved') Object.assign(told, { finalized: event.finalized });
    if (kind === 'moved' || (kind === 'imported' && event.isBest) || event.enacted.length > 0) {
      need(record?.best.hash === hash, `#${number} was told to be the best block and is not stored so`);
      told.best = { hash, number };
    }
  });
};

const askAll = async (port: ReturnType<typeof openPort>, top: number): Promise<unknown[]> => {
  const heights = Array.from({ length: 4 }, (_, at) => Math.max(0, top - 2) + at);
  const forks = await Promise.all(heights.map((at) => port.request('archive_v1_hashByHeight', [at])));
  const heads = [
    await port.request('chain_getBlockHash', []),
    await port.request('chain_getFinalizedHead', []),
  ];
  return [...forks.flat(), ...heads];
};

/** Starts the node of a disk. What it finds there counts as stored. */
export const live = async (disk: Disk): Promise<Life> => {
  const engine = await disk.open();
  const fate = createFate(engine);
  const db = await openChecked(fate.engine);
  for (const [key] of await db.range('headers'))
    fate.stored.headers.add(`0x${Buffer.from(key).toString('hex')}` as BlockHash);
  const platform = createTestPlatform({ db });
  const node = await createNode(platform, config);
  const { chain } = node.parts;
  const told: Told = { best: chain.best(), finalized: chain.finalized() };
  const faults: string[] = [];
  listen(node, fate, told, faults);
  const port = openPort(node);
  return {
    disk,
    node,
    fate,
    told,
    errors: platform.errors,
    look: async () => {
      for (const { hash, number } of chain.unfinalized())
        must(fate.stored.headers.has(hash), `the tree shows block #${number}, which is not stored`);
      for (const hash of await askAll(port, chain.best().number))
        must(fate.stored.headers.has(hash as BlockHash), `JSON-RPC shows block ${hash}, which is not stored`);
      must(chain.best().hash === told.best.hash, 'the best block is not the one that was told');
      must(
        chain.finalized().hash === told.finalized.hash,
        'the finalized block is not the one that was told',
      );
      must(faults.length === 0, faults.join('; '));
    },
    end: async () => {
      fate.kill();
      port.shut();
      await node.close().catch(() => undefined);
      await engine.close();
      await disk.drop();
    },
  };
};

const isOn = async (node: Node, { hash, number }: BlockRef): Promise<boolean> =>
  (await node.parts.chain.loadHashAt(number)) === hash;

/**
 * Checks that the chain is where the last complete transaction put it, which is either what was reported or
 * one write further, that it is intact, and that it continues.
 */
export const checkReborn = async (node: Node, told: Told, stored: Told): Promise<void> => {
  const { chain } = node.parts;
  must(chain.best().hash === stored.best.hash, `it stands at #${chain.best().number}, not at the last write`);
  must(chain.finalized().hash === stored.finalized.hash, 'finality is not that of the last write');
  // Finality may only have gone back by a move of the head that was stored but not reported.
  if (stored.finalized.number >= told.finalized.number)
    must(await isOn(node, told.finalized), 'what was final is gone');
  await checkHead(chain);
  await checkWhole(node);
  await sealOn(node);
};
