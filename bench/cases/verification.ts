import { hexToBytes } from '../../worker/bytes/hex.ts';
import type { Block } from '../../worker/codec/block.ts';
import type { Node } from '../../worker/node.ts';
import type { Bench } from '../figure.ts';
import { median, timed } from '../measure.ts';
import { openNode, seal } from '../nodes.ts';
import { signTransfers } from '../signer.ts';
import { loadBlocks } from './transfers.ts';

const blockSize = 100;
/** Blocks a node imports before the other one's turn. */
const turn = 5;
const turns = 12;
const warmUpTurns = 2;

const importAll = async (node: Node, blocks: readonly Block[]): Promise<void> => {
  for (const block of blocks) {
    const result = await node.parts.chain.import(block, { origin: 'file' });
    if (!result.ok) throw new Error(`${result.code}: ${result.message}`);
  }
};

/**
 * Two nodes import the same blocks alternately, several at a time: the garbage collector runs about every
 * second block, so that with single blocks it always ran on the same node.
 */
export const verification: Bench = {
  name: 'verification',
  about: 'import of blocks with and without a look at who sealed them',
  run: async () => {
    const source = await openNode();
    const signed = (await signTransfers(source, turns * turn * blockSize)).map(hexToBytes);
    for (let at = 0; at < signed.length; at += blockSize) {
      for (const extrinsic of signed.slice(at, at + blockSize)) await source.parts.pool.submit(extrinsic, 2);
      await seal(source);
    }
    const blocks = await loadBlocks(source);
    await source.close();
    const verifying = await openNode('development', { config: { keys: [] } });
    const trusting = await openNode('development', { config: { keys: [], trustBlocks: true } });
    const spent = new Map([verifying, trusting].map((node) => [node, [] as number[]]));
    for (let at = 0; at < turns; at++)
      for (const node of at % 2 === 0 ? [verifying, trusting] : [trusting, verifying]) {
        const { cpuMs } = await timed(() => importAll(node, blocks.slice(at * turn, (at + 1) * turn)));
        if (at >= warmUpTurns) spent.get(node)?.push(cpuMs / turn);
      }
    const [all, none] = [median(spent.get(verifying) ?? []), median(spent.get(trusting) ?? [])];
    await verifying.close();
    await trusting.close();
    const name = `import of a ${blockSize}-transfer block, verified : trusted`;
    const note = `${all.toFixed(2)} and ${none.toFixed(2)} ms of processor a block, medians of ${turns - warmUpTurns} turns of ${turn} blocks`;
    return [{ name, value: all / none, unit: '×', budget: 1.15, note }];
  },
};
