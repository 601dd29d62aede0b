import { hexToBytes } from '../../worker/bytes/hex.ts';
import type { Bench } from '../figure.ts';
import { timed } from '../measure.ts';
import { openNode, seal } from '../nodes.ts';
import { signTransfers } from '../signer.ts';
import { loadBlocks } from './transfers.ts';

const blockSize = 100;
const blockCount = 60;
const warmUp = 10;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;

/** Two nodes take the same blocks in turn, and take turns at being first. */
export const verification: Bench = {
  name: 'verification',
  about: 'import of blocks with and without a look at who sealed them',
  run: async () => {
    const source = await openNode();
    const signed = (await signTransfers(source, blockCount * blockSize)).map(hexToBytes);
    for (let at = 0; at < signed.length; at += blockSize) {
      for (const extrinsic of signed.slice(at, at + blockSize)) await source.parts.pool.submit(extrinsic, 2);
      await seal(source);
    }
    const blocks = await loadBlocks(source);
    await source.close();
    const verifying = await openNode('development', { config: { keys: [] } });
    const trusting = await openNode('development', { config: { keys: [], trustBlocks: true } });
    const spent = new Map([verifying, trusting].map((node) => [node, [] as number[]]));
    for (const [index, block] of blocks.entries())
      for (const node of index % 2 === 0 ? [verifying, trusting] : [trusting, verifying]) {
        const one = await timed(() => node.parts.chain.import(block, { isFromFile: true }));
        if (!one.value.ok) throw new Error(`${one.value.code}: ${one.value.message}`);
        if (index >= warmUp) spent.get(node)?.push(one.cpuMs);
      }
    const [all, none] = [median(spent.get(verifying) ?? []), median(spent.get(trusting) ?? [])];
    await verifying.close();
    await trusting.close();
    const name = `import of a ${blockSize}-transfer block, verified : trusted`;
    const note = `${all.toFixed(2)} and ${none.toFixed(2)} ms of processor, medians of ${blockCount - warmUp}, in turn`;
    return [{ name, value: all / none, unit: '×', budget: 1.15, note }];
  },
};
