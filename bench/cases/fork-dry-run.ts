import { countedOrigin } from '../../test/fork/counted-origin.ts';
import { createSigner } from '../../test/fork/signer.ts';
import { connectRpc } from '../../test/rigs/rpc.ts';
import type { Line } from '../figure.ts';
import { median, timed } from '../measure.ts';
import { openNode, seal } from '../nodes.ts';
import { openFork, signTransfer } from './fork-blocks.ts';

const rounds = 100;
const warmUp = 50;

type Shape = { readonly name: string; readonly options: object; readonly budget: number | null };
const shapes: readonly Shape[] = [
  { name: 'dry run of a transfer', options: {}, budget: 1.2 },
  // What the hooks change is named as well, which is no part of a block.
  { name: 'the same with the hooks of the block', options: { hooks: true }, budget: null },
];

/** Of each transfer, a dry run, and then the block that it predicts, by the calls of a client. */
export const measureDryRun = async (): Promise<Line[]> => {
  const live = await openNode();
  await seal(live);
  const fork = await openFork(countedOrigin(live));
  const { call } = connectRpc(fork);
  const bob = fork.parts.crypto.suriToPair('//Bob', 'sr25519').publicKey;
  const sign = createSigner();
  const spent = { block: [] as number[], dry: shapes.map(() => [] as number[]) };
  for (let round = 0; round < warmUp + rounds; round++) {
    const [extrinsic = ''] = await signTransfer(sign, fork, [bob]);
    const dry: number[] = [];
    for (const { options } of shapes)
      dry.push((await timed(() => call('dev_dryRun', { extrinsic, ...options }))).ms);
    const block = (await timed(() => call('dev_newBlock', { transactions: [extrinsic] }))).ms;
    if (round < warmUp) continue;
    spent.block.push(block);
    for (const [index, ms] of dry.entries()) spent.dry[index]?.push(ms);
  }
  for (const node of [fork, live]) await node.close();
  const blockMs = median(spent.block);
  return shapes.map(({ name, budget }, index) => {
    const ms = median(spent.dry[index] ?? []);
    return {
      name: `fork: ${name}, to the block that it predicts`,
      value: ms / blockMs,
      unit: '×',
      budget,
      note: `median of ${rounds}; ${ms.toFixed(2)} and ${blockMs.toFixed(2)} ms`,
    };
  });
};
