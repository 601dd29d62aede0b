import type { NodeConfig } from '../../src/protocol/node.ts';
import type { Bench, Line } from '../figure.ts';
import { medians, timed } from '../measure.ts';
import { loadFixture, openClient, openNode, seal } from '../nodes.ts';

const warmUp = 10;
const rounds = 50;

const measure = async (name: string, chain: NodeConfig['chain'], budget: number): Promise<Line> => {
  const node = await openNode(chain);
  const client = openClient(node);
  await client.request('chain_subscribeNewHeads', []);
  const spent = [];
  for (let round = 0; round < warmUp + rounds; round++) {
    const announced = client.nextNotification();
    const one = await timed(() => Promise.all([seal(node), announced]));
    if (round >= warmUp) spent.push(one);
  }
  client.close();
  await node.close();
  const { ms, cpuMs } = medians(spent);
  return {
    name,
    value: ms,
    cpu: cpuMs,
    unit: 'ms',
    budget,
    note: `median of ${rounds}, to the chain_newHead text`,
  };
};

export const emptyBlock: Bench = {
  name: 'empty-block',
  about: 'an empty block sealed, committed and announced',
  run: async () => {
    const lines = [await measure('empty block, default runtime', 'development', 4)];
    const westend = await loadFixture('chains/westend-dev-raw.json');
    const name = 'empty block, westend-dev';
    lines.push(
      westend === null
        ? { name, skipped: 'no ../shared/fixtures' }
        : await measure(name, { specJson: westend }, 25),
    );
    return lines;
  },
};
