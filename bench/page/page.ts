import { hostOf } from '../../src/host.ts';
import { startNode, type TabNode } from '../../src/index.ts';
import type { SignedBlockJson } from '../../src/protocol/node.ts';
import { startNodeIn } from '../../src/start.ts';
import type { StoreName } from '../../worker/db/stores.ts';
import type { Reads } from '../reads.ts';
import { compareTrips, type Trips } from '../trips.ts';

import { coldState, putRecords } from './cold.ts';
import { importBlocks, readState } from './local.ts';
import { peerBench } from './peer.ts';
import { tabsBench } from './tabs.ts';

/** What the bench in Node.js calls in the page: clock times in ms. */
export type PageBench = {
  coldStart(): Promise<number>;
  emptyBlock(rounds: number): Promise<number[]>;
  submitAndInclude(signed: readonly string[]): Promise<{ submit: number; include: number; blocks: number }>;
  healthDuring(signed: readonly string[]): Promise<number[]>;
  importBlocks(blocks: readonly SignedBlockJson[]): Promise<number[]>;
  readState(): Promise<Reads>;
  /** Writes records, key and value in base64, to a store of the database that `coldState` opens. */
  putRecords(store: StoreName, records: readonly (readonly [string, string])[]): Promise<void>;
  /** Time of block 1 over that database with nothing in memory, several times, and then again at once. */
  coldState(
    block: SignedBlockJson,
    rounds: number,
  ): Promise<{ readonly cold: number[]; readonly warm: number[] }>;
  roundTrips(method: string, params: readonly unknown[]): Promise<Trips>;
};

let node: TabNode | null = null;
const need = (): TabNode => {
  if (node === null) throw new Error('no node');
  return node;
};
const ask = (method: string, params: readonly unknown[] = []): Promise<unknown> =>
  need().connection.request(method, params);

const submit = (signed: readonly string[]): Promise<unknown> =>
  Promise.all(signed.map((text) => ask('author_submitExtrinsic', [text])));

const sealAll = async (): Promise<number> => {
  let blocks = 0;
  while (((await ask('author_pendingExtrinsics')) as unknown[]).length > 0) {
    await ask('engine_createBlock', [true, false]);
    blocks++;
  }
  return blocks;
};

/** A module in the node's own worker that echoes its input. */
const echo = `
addEventListener('message', ({ data, ports: [port] }) => {
  if (data === 'echo') port.onmessage = ({ data: text }) => port.postMessage(text);
});
export const rpcMethods = {};
`;

const openEcho = (worker: Worker) => {
  const { port1, port2 } = new MessageChannel();
  worker.postMessage('echo', [port2]);
  return (text: string): Promise<void> =>
    new Promise((resolve) => {
      port1.onmessage = () => resolve();
      port1.postMessage(text);
    });
};

const bench: PageBench = {
  coldStart: async () => {
    const from = performance.now();
    node = await startNode({ chain: 'development', seal: 'manual', dialect: 'polkadot-sdk' });
    await ask('chain_getHeader');
    return performance.now() - from;
  },
  emptyBlock: async (rounds) => {
    let heard: () => void = () => undefined;
    const id = await need().connection.subscribe('chain_subscribeNewHeads', [], () => heard());
    const all: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const announced = new Promise<void>((resolve) => {
        heard = resolve;
      });
      const from = performance.now();
      await Promise.all([ask('engine_createBlock', [true, false]), announced]);
      all.push(performance.now() - from);
    }
    await need().connection.unsubscribe('chain_unsubscribeNewHeads', id);
    return all;
  },
  submitAndInclude: async (signed) => {
    const from = performance.now();
    await submit(signed);
    const middle = performance.now();
    const blocks = await sealAll();
    return { submit: middle - from, include: performance.now() - middle, blocks };
  },
  healthDuring: async (signed) => {
    await submit(signed);
    const waits: number[] = [];
    let building = true;
    const sealed = ask('engine_createBlock', [true, false]).finally(() => {
      building = false;
    });
    while (building) {
      const from = performance.now();
      await ask('system_health');
      waits.push(performance.now() - from);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await sealed;
    await sealAll();
    return waits;
  },
  importBlocks,
  putRecords,
  coldState,
  readState,
  roundTrips: async (method, params) => {
    const worker = new Worker(new URL('../../worker/main.ts', import.meta.url), { type: 'module' });
    const echoModule = URL.createObjectURL(new Blob([echo], { type: 'text/javascript' }));
    const asked = await startNodeIn(hostOf(worker), { seal: 'manual', rpcModules: [echoModule] });
    const bare = openEcho(worker);
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1234, method, params });
    const trips = await compareTrips(
      () => asked.connection.request(method, params),
      () => bare(text),
    );
    await asked.stop();
    return trips;
  },
};

Object.assign(globalThis, { bench: { ...bench, ...tabsBench, ...peerBench } });
