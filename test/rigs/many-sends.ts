import { type ApiPromise, Keyring } from '@polkadot/api';
import type { KeyringPair } from '@polkadot/keyring/types';

/**
 * The number of `signAndSend` calls, how many callbacks got each status, and the longest time between the
 * two.
 */
export type ManySends = {
  readonly sent: number;
  readonly inBlock: number;
  readonly finalized: number;
  readonly slowestMs: number;
};

type Seen = { readonly inBlockMs: number | null; readonly finalizedMs: number };

const send = (
  from: KeyringPair,
  call: NonNullable<ReturnType<NonNullable<NonNullable<ApiPromise['tx'][string]>[string]>>>,
  nonce: number,
  onIncluded: () => void,
): Promise<Seen> =>
  new Promise((resolve, reject) => {
    let inBlockMs: number | null = null;
    call
      .signAndSend(from, { nonce }, ({ status, isError }) => {
        if (isError) reject(new TypeError(`#${nonce} was refused: ${status.type}`));
        if (status.isInBlock) inBlockMs = performance.now();
        if (status.isInBlock || status.isFinalized) onIncluded();
        if (status.isFinalized) resolve({ inBlockMs, finalizedMs: performance.now() });
      })
      .catch(reject);
  });

/**
 * Sends this many remarks by Alice, each with its own `signAndSend`, with at most `inFlight` not yet in a
 * block.
 */
export const sendMany = async (api: ApiPromise, count: number, inFlight: number): Promise<ManySends> => {
  const remark = api.tx['system']?.['remark'];
  if (remark === undefined) throw new TypeError('The runtime has no system.remark.');
  // Derived once, because each derivation from a phrase blocks the client's thread for 6 ms.
  const alice = new Keyring({ type: 'sr25519' }).addFromUri('//Alice');
  const first = (await api.rpc.system.accountNextIndex(alice.address)).toNumber();
  const work: Promise<Seen>[] = [];
  const lane = async (): Promise<void> => {
    while (work.length < count) {
      const index = work.length;
      await new Promise<void>((resolve, reject) => {
        const call = remark(`0x${index.toString(16).padStart(8, '0')}`);
        const seen = send(alice, call, first + index, resolve);
        seen.catch(reject);
        work.push(seen);
      });
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  const all = await Promise.all(work);
  const waits = all.flatMap(({ inBlockMs, finalizedMs }) =>
    inBlockMs === null ? [] : [finalizedMs - inBlockMs],
  );
  return {
    sent: all.length,
    inBlock: waits.length,
    finalized: all.length,
    slowestMs: Math.round(Math.max(0, ...waits)),
  };
};
