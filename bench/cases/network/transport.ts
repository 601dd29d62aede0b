import type { Bench } from '../../figure.ts';
import { median, type Spent, timed } from '../../measure.ts';
import { bulkBytes, dialEndpoint, receiveBulk, sendBulk } from '../../network/endpoint.ts';
import { listenEndpoint } from '../../network/listen-endpoint.ts';

const messages = 50;
const runs = 5;

export const networkTransport: Bench = {
  name: 'network-transport',
  about: 'bytes a second over Noise, yamux and a WebSocket, both ends in one process',
  run: async () => {
    const listener = await listenEndpoint();
    const connection = await dialEndpoint(listener.url, 1);
    const rate = (ms: number): number => (messages * bulkBytes) / 1e6 / (ms / 1000);
    const spent: [up: Spent, down: Spent][] = [];
    // The first run is not counted.
    for (let run = 0; run <= runs; run++) {
      const up = await timed(() => sendBulk(connection, messages));
      const down = await timed(() => receiveBulk(connection, messages));
      if (run > 0) spent.push([up, down]);
    }
    connection.close('The benchmark is over');
    await listener.close();
    const note = `${messages} messages of 1 MiB, median of ${runs}`;
    return (['dialing', 'dialed'] as const).map((side, index) => ({
      name: `MB sent by the ${side} side`,
      value: median(spent.map((both) => rate(both[index]?.ms ?? 0))),
      cpu: median(spent.map((both) => rate(both[index]?.cpuMs ?? 0))),
      unit: '/s',
      budget: 40,
      note,
    }));
  },
};
