import { ApiPromise } from '@polkadot/api';
import { createConnection } from '../../src/connection.ts';
import { startNode } from '../../src/index.ts';
import type { SealMode } from '../../src/protocol/node.ts';
import { polkadotJsProvider } from '../../src/providers/polkadot-js.ts';
import {
  type Balances,
  readBalances,
  type TransferReport,
  transfer,
} from '../../test/clients/polkadot-script.ts';
import { type ManySends, sendMany } from '../../test/rigs/many-sends.ts';
import type { WireTimes } from './wire-clock.ts';

export type ChainSummary = {
  readonly genesisHash: string;
  readonly bestHash: string;
  readonly bestNumber: number;
  readonly balances: Balances;
};
/** The page's own functions, as called by the tests. */
export type Dapp = {
  start(storage: 'memory' | { kind: 'indexeddb'; name: string }, seal: SealMode): Promise<void>;
  transfer(amount: string): Promise<TransferReport>;
  /**
   * `wire`: the same waiting times measured from the node's messages, independent of how busy the page is.
   */
  sendMany(count: number, inFlight: number): Promise<ManySends & { readonly wire: WireTimes }>;
  summary(): Promise<ChainSummary>;
  seal(count: number): Promise<void>;
  stop(): Promise<void>;
};

declare global {
  interface Window {
    dapp: Dapp;
  }
}

type Running = { readonly node: Awaited<ReturnType<typeof startNode>>; readonly api: ApiPromise };

/** A client behind a thread that records when the node's messages pass. */
const connectTimed = async (node: Running['node']) => {
  const clock = new Worker(new URL('./wire-clock.ts', import.meta.url), { type: 'module' });
  const port = await node.openPort({ dialect: 'polkadot-sdk' });
  const { port1, port2 } = new MessageChannel();
  clock.postMessage({ node: port, page: port2 }, [port, port2]);
  const connection = createConnection(port1);
  return {
    api: await ApiPromise.create({ provider: polkadotJsProvider(connection), noInitWarn: true }),
    close: async (): Promise<WireTimes> => {
      connection.close();
      const times = new Promise<WireTimes>((resolve) => {
        clock.onmessage = ({ data }: MessageEvent<WireTimes>) => resolve(data);
      });
      clock.postMessage(null);
      const seen = await times;
      clock.terminate();
      return seen;
    },
  };
};

const createDapp = (): Dapp => {
  let running: Running | null = null;
  const need = (): Running => {
    if (!running) throw new TypeError('Call start first.');
    return running;
  };
  return {
    start: async (storage, seal) => {
      const node = await startNode({ chain: 'development', storage, seal });
      running = {
        node,
        api: await ApiPromise.create({ provider: polkadotJsProvider(node), noInitWarn: true }),
      };
    },
    transfer: (amount) => transfer(need().api, amount),
    sendMany: async (count, inFlight) => {
      const timed = await connectTimed(need().node);
      const seen = await sendMany(timed.api, count, inFlight);
      return { ...seen, wire: await timed.close() };
    },
    summary: async () => {
      const { api } = need();
      const header = await api.rpc.chain.getHeader();
      return {
        genesisHash: api.genesisHash.toHex(),
        bestHash: header.hash.toHex(),
        bestNumber: header.number.toNumber(),
        balances: await readBalances(api),
      };
    },
    seal: async (count) => {
      for (let done = 0; done < count; done += 1) await need().api.rpc.engine.createBlock(true, true);
    },
    stop: async () => {
      await need().api.disconnect();
      await need().node.stop();
      running = null;
    },
  };
};

window.dapp = createDapp();
