import { ApiPromise, Keyring } from '@polkadot/api';
import { startNode } from '../../src/index.ts';
import type { SealMode } from '../../src/protocol/node.ts';
import { polkadotJsProvider } from '../../src/providers/polkadot-js.ts';

/** What a transfer led to, with balances as decimal text. */
export type TransferReport = {
  readonly statuses: readonly string[];
  readonly events: readonly string[];
  readonly fee: string;
  readonly tip: string;
  readonly before: Balances;
  readonly after: Balances;
};
export type Balances = { readonly alice: string; readonly bob: string };
export type ChainSummary = {
  readonly genesisHash: string;
  readonly bestHash: string;
  readonly bestNumber: number;
  readonly balances: Balances;
};
/** The page's own functions, as the tests call them. */
export type Dapp = {
  start(storage: 'memory' | { kind: 'indexeddb'; name: string }, seal: SealMode): Promise<void>;
  transfer(amount: string): Promise<TransferReport>;
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

const readBalances = async (api: ApiPromise): Promise<Balances> => {
  const keyring = new Keyring({ type: 'sr25519' });
  const free = async (suri: string): Promise<string> => {
    const account = await api.query['system']?.['account']?.(keyring.addFromUri(suri).address);
    return (account as unknown as { data: { free: { toString(): string } } }).data.free.toString();
  };
  return { alice: await free('//Alice'), bob: await free('//Bob') };
};

const transfer = async (api: ApiPromise, amount: string): Promise<TransferReport> => {
  const keyring = new Keyring({ type: 'sr25519' });
  const [alice, bob] = [keyring.addFromUri('//Alice'), keyring.addFromUri('//Bob')];
  const before = await readBalances(api);
  const call = api.tx['balances']?.['transferKeepAlive']?.(bob.address, amount);
  if (!call) throw new TypeError('The runtime has no balances.transferKeepAlive.');
  const statuses: string[] = [];
  const outcome = await new Promise<Pick<TransferReport, 'events' | 'fee' | 'tip'>>((resolve, reject) => {
    call
      .signAndSend(alice, ({ status, events, dispatchError, isError }) => {
        statuses.push(status.type);
        if (dispatchError || isError)
          reject(new TypeError(`refused: ${dispatchError?.toString() ?? status.type}`));
        if (!status.isFinalized) return;
        const paid = events.find(({ event }) => event.section === 'transactionPayment');
        const [fee = '', tip = ''] = paid?.event.data.slice(1).map((field) => field.toString()) ?? [];
        resolve({ fee, tip, events: events.map(({ event }) => `${event.section}.${event.method}`) });
      })
      .catch(reject);
  });
  return { statuses, before, after: await readBalances(api), ...outcome };
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
