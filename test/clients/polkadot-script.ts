import { type ApiPromise, Keyring } from '@polkadot/api';

/** The result of a transfer, with balances as decimal text. */
export type TransferReport = {
  readonly statuses: readonly string[];
  readonly events: readonly string[];
  readonly fee: string;
  readonly tip: string;
  readonly before: Balances;
  readonly after: Balances;
};
export type Balances = { readonly alice: string; readonly bob: string };
/** Free balances of the two accounts, through the real polkadot-js. */
export const readBalances = async (api: ApiPromise): Promise<Balances> => {
  const keyring = new Keyring({ type: 'sr25519' });
  const free = async (suri: string): Promise<string> => {
    const account = await api.query['system']?.['account']?.(keyring.addFromUri(suri).address);
    return (account as unknown as { data: { free: { toString(): string } } }).data.free.toString();
  };
  return { alice: await free('//Alice'), bob: await free('//Bob') };
};

/** Signs and sends a transfer from Alice to Bob and follows it until it is finalized. */
export const transfer = async (api: ApiPromise, amount: string): Promise<TransferReport> => {
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
