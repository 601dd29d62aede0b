import type { Bench } from '../figure.ts';
import { medians, timed } from '../measure.ts';
import { openClient, openNode, seal } from '../nodes.ts';

const warmUp = 10;
const rounds = 50;
/** Blocks sealed after the snapshot, which each restore abandons. */
const blocks = 20;

export const restore: Bench = {
  name: 'restore',
  about: 'a snapshot in memory restored, seen from the client',
  run: async () => {
    const node = await openNode('development');
    const client = openClient(node);
    await client.request('dev_snapshot', ['fresh']);
    const spent = [];
    for (let round = 0; round < warmUp + rounds; round++) {
      for (let built = 0; built < blocks; built++) await seal(node);
      const one = await timed(() => client.request('dev_restore', ['fresh']));
      if (round >= warmUp) spent.push(one);
    }
    client.close();
    await node.close();
    const { ms, cpuMs } = medians(spent);
    const note = `median of ${rounds}, ${blocks} blocks left behind each`;
    return [{ name: 'snapshot restored in memory', value: ms, cpu: cpuMs, unit: 'ms', budget: 5, note }];
  },
};
