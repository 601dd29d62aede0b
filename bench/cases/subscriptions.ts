import { MessageChannel, Worker } from 'node:worker_threads';
import { createRpcServer } from '../../worker/rpc/server.ts';
import type { Bench, Line } from '../figure.ts';
import { medians, type Spent } from '../measure.ts';
import { openNode, seal } from '../nodes.ts';

const connections = 10;
const each = 1000;
const warmUp = 10;
const blocks = 40;

/** Ports to a thread that ignores all messages, because receiving is not the node's work. */
const openListeners = () => {
  const channels = Array.from({ length: connections }, () => new MessageChannel());
  const thread = new Worker(
    "const { workerData: { ports } } = require('node:worker_threads'); for (const port of ports) port.on('message', () => undefined);",
    {
      eval: true,
      workerData: { ports: channels.map(({ port2 }) => port2) },
      transferList: channels.map(({ port2 }) => port2),
    },
  );
  return { ports: channels.map(({ port1 }) => port1), close: () => thread.terminate() };
};

const measure = async (method: string, params: readonly unknown[]): Promise<Spent> => {
  const node = await openNode();
  await seal(node);
  const now = () => ({ ms: performance.now(), cpu: process.threadCpuUsage() });
  let from = now();
  let until = from;
  let lists = 0;
  let allLeft = Promise.withResolvers<void>();
  // This listener is the first one notified of a block, and starts the clock; the last list sent stops it.
  node.parts.chain.onEvent(({ kind }) => {
    if (kind === 'imported') from = now();
  });
  const server = createRpcServer(node.parts);
  const listeners = openListeners();
  let opened = 0;
  const all = Promise.withResolvers<void>();
  for (const port of listeners.ports) {
    const count = (texts: readonly string[]): void => {
      for (const text of texts) if (text.includes('"id":') && ++opened === connections * each) all.resolve();
    };
    const connection = server.connect(
      (text) => count([text]),
      { dialect: 'psp-6', denyUnsafe: false, transport: 'port' },
      (texts) => {
        port.postMessage(texts);
        lists++;
        until = now();
        if (lists === connections) allLeft.resolve();
        if (opened < connections * each) count(texts);
      },
    );
    for (let id = 0; id < each; id++)
      connection.receive(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  }
  await all.promise;
  const spent: Spent[] = [];
  for (let block = 0; block < warmUp + blocks; block++) {
    lists = 0;
    allLeft = Promise.withResolvers();
    await seal(node);
    // Lists are sent in the turn after the block is announced.
    await allLeft.promise;
    const cpuMs = (until.cpu.user + until.cpu.system - from.cpu.user - from.cpu.system) / 1000;
    spent.push({ ms: until.ms - from.ms, cpuMs });
  }
  server.close();
  await listeners.close();
  await node.close();
  return medians(spent.slice(warmUp));
};

/** `System.Number`, which every block changes. */
const numberKey = '0x26aa394eea5630e07c48ae0c9558cef702a5c1b19ab7a04f536c519aca4983ac';

export const subscriptions: Bench = {
  name: 'subscriptions',
  about: '10,000 subscriptions on ten connections hear of a block',
  run: async () => {
    const line = (name: string, { ms, cpuMs }: Spent): Line => ({
      name: `${connections * each} notified of a block, ${name}`,
      value: ms,
      cpu: cpuMs,
      unit: 'ms',
      budget: 20,
      note: `worker time from the event to the last list sent; median of ${blocks}`,
    });
    return [
      line('new heads', await measure('chain_subscribeNewHeads', [])),
      line('one storage key', await measure('state_subscribeStorage', [[numberKey]])),
    ];
  },
};
