import { originOf } from '../../test/fork/chain-origin.ts';
import type { BlockHash } from '../../worker/codec/identity.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { createExecutor } from '../../worker/executor/executor.ts';
import { openLiveView } from '../../worker/fork/live-view.ts';
import { replayBlock } from '../../worker/fork/replay.ts';
import type { Node } from '../../worker/node.ts';
import type { Line } from '../figure.ts';
import { median, timed } from '../measure.ts';
import { openNode, sealAll } from '../nodes.ts';
import { signTransfers } from '../signer.ts';
import { fail } from '../state-chain.ts';

const transfers = 200;
const runs = 5;

const importAll = async (live: Node, hashes: readonly BlockHash[]): Promise<number> => {
  const importer = await openNode();
  let ms = 0;
  for (const hash of hashes) {
    const block = await live.parts.chain.loadBlock(hash);
    if (block === null) throw new Error('no block');
    ms += (await timed(() => importer.parts.chain.import(block))).ms;
  }
  await importer.close();
  return ms;
};

/** The second time, when all nodes are known. */
const replayAll = async (live: Node, hashes: readonly BlockHash[]): Promise<number> => {
  const crypto = await loadCrypto();
  const executor = createExecutor({ crypto });
  const view = await openLiveView({ crypto, executor, origin: originOf(live), onError: fail });
  const replay = (hash: BlockHash) =>
    replayBlock(view, hash, { withChanges: false, nowMs: () => performance.now() });
  for (const hash of hashes) await replay(hash);
  let ms = 0;
  for (const hash of hashes) ms += (await timed(() => replay(hash))).ms;
  return ms;
};

/** Blocks of transfers, executed by an import and by a replay on nodes that are known already. */
export const measureReplay = async (): Promise<Line[]> => {
  const live = await openNode();
  for (const extrinsic of await signTransfers(live, transfers))
    await live.parts.pool.submit(Uint8Array.from(Buffer.from(extrinsic.slice(2), 'hex')), 1);
  const hashes = (await sealAll(live)).blocks.map(({ hash }) => hash);
  const ratios: number[] = [];
  for (let run = 0; run < runs; run++) {
    const imported = await importAll(live, hashes);
    ratios.push((await replayAll(live, hashes)) / imported);
  }
  await live.close();
  return [
    {
      name: 'fork: replay of a full block, to its import',
      value: median(ratios),
      unit: '×',
      budget: 1.5,
      note: `${hashes.length} blocks with ${transfers} transfers, without the network`,
    },
  ];
};
