import type { Worker } from 'node:worker_threads';
import type { Bench, Line } from '../figure.ts';
import { median, sleep } from '../measure.ts';
import { openNode } from '../nodes.ts';
import { signTransfers } from '../signer.ts';
import { buildWorker, startInThread } from '../thread.ts';
import { compareTrips, portCalls, tripLine } from '../trips.ts';

/**
 * A module in the node's own thread that echoes its input; a separate thread would have a different sleep and
 * wake rhythm.
 */
const echo = `
import { parentPort } from 'node:worker_threads';
parentPort.on('message', (text) => parentPort.postMessage(text));
export const rpcMethods = {};
`;

const openEcho = (thread: Worker) => {
  let resolve: () => void = () => undefined;
  thread.on('message', () => resolve());
  return (text: string): Promise<void> =>
    new Promise((done) => {
      resolve = done;
      thread.postMessage(text);
    });
};

export const port: Bench = {
  name: 'port',
  about: 'a JSON-RPC call over a port against a bare echo of the same worker',
  run: async () => {
    buildWorker();
    const opened = Promise.withResolvers<Worker>();
    const node = await startInThread(
      {
        chain: 'development',
        seal: 'manual',
        rpcModules: [`data:text/javascript,${encodeURIComponent(echo)}`],
      },
      opened.resolve,
    );
    const bare = openEcho(await opened.promise);
    const lines: Line[] = [];
    for (const [method, params] of portCalls) {
      const text = JSON.stringify({ jsonrpc: '2.0', id: 1234, method, params });
      const trips = await compareTrips(
        () => node.connection.request(method, params),
        () => bare(text),
      );
      lines.push(tripLine('', method, trips));
    }
    await node.stop();
    return lines;
  },
};

const transfers = 2000;

export const health: Bench = {
  name: 'health',
  about: `system_health while a block of ${transfers} transfers is built`,
  run: async (): Promise<Line[]> => {
    buildWorker();
    const signer = await openNode();
    const signed = await signTransfers(signer, transfers);
    await signer.close();
    const node = await startInThread({ chain: 'development', seal: 'manual', dialect: 'polkadot-sdk' });
    await Promise.all(signed.map((text) => node.connection.request('author_submitExtrinsic', [text])));
    const waits: number[] = [];
    let building = true;
    const from = performance.now();
    const sealed = node.connection.request('engine_createBlock', [true, false]).finally(() => {
      building = false;
    });
    while (building) {
      const asked = performance.now();
      await node.connection.request('system_health', []);
      waits.push(performance.now() - asked);
      await sleep(1);
    }
    const { hash } = (await sealed) as { hash: string };
    const took = performance.now() - from;
    const block = (await node.connection.request('chain_getBlock', [hash])) as {
      block: { extrinsics: string[] };
    };
    await node.stop();
    const included = block.block.extrinsics.length;
    const note = `${waits.length} answers, median ${median(waits).toFixed(1)} ms; ${included} extrinsics in ${took.toFixed(0)} ms`;
    return [
      {
        name: 'system_health during a big block, slowest',
        value: Math.max(...waits),
        unit: 'ms',
        budget: 50,
        note,
      },
    ];
  },
};
