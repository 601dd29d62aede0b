import { expect, it, vi } from 'vitest';
import { concatBytes, textToBytes } from '../../bytes/bytes.ts';
import type { Origin } from '../../chain/origin.ts';
import { loadCrypto } from '../../crypto/crypto.ts';
import { createKeyNames } from './key-names.ts';
import { largestPart, reportProgress } from './progress.ts';

const crypto = await loadCrypto();
const keyOf = (pallet: string, item: string, ...rest: readonly number[]): Uint8Array =>
  concatBytes(crypto.twox128(textToBytes(pallet)), crypto.twox128(textToBytes(item)), Uint8Array.from(rest));
const staking = { pallet: 'Staking', prefix: 'StakingOfOld', items: ['Ledger', 'Bonded'] };
const ledgers = [1, 2, 3].map((id) => keyOf('StakingOfOld', 'Ledger', id));

const setUp = () => {
  let changed = (): void => undefined;
  const stats = { requests: 0, bytes: 0, lies: 0, endpoints: [] };
  const origin = {
    stats: () => stats,
    onProgress: (listener: () => void) => {
      changed = listener;
      return () => {
        changed = () => undefined;
      };
    },
    nodes: async () => [],
    close: vi.fn(),
  } as unknown as Origin;
  const timers: (() => void)[] = [];
  const port = { postMessage: vi.fn(), close: vi.fn() };
  const schedule = (_ms: number, run: () => void) => {
    timers.push(run);
    return () => void timers.splice(timers.indexOf(run), 1);
  };
  const names = createKeyNames(crypto);
  const reported = reportProgress(origin, port as unknown as MessagePort, schedule, names);
  return { origin, reported, timers, port, stats, names, change: () => changed() };
};

it('reports the first change at once, and those of the next moment together', async () => {
  const { reported, timers, port, stats, change } = setUp();
  stats.requests = 1;
  change();
  expect(port.postMessage.mock.calls).toEqual([[{ requests: 1, bytes: 0, items: 0, reading: null }]]);
  const key = new Uint8Array(1);
  await reported.nodes(key, [{ child: null, keys: [key, key] }], []);
  stats.requests = 2;
  stats.bytes = 9;
  change();
  expect(port.postMessage).toHaveBeenCalledTimes(1);
  timers.shift()?.();
  expect(port.postMessage.mock.lastCall).toEqual([{ requests: 2, bytes: 9, items: 2, reading: null }]);
  // Nothing has changed since.
  timers.shift()?.();
  expect(port.postMessage).toHaveBeenCalledTimes(2);
  change();
  expect(port.postMessage).toHaveBeenCalledTimes(3);
});

it('ends with the origin', () => {
  const { origin, reported, timers, port, change } = setUp();
  change();
  reported.close();
  expect(timers).toEqual([]);
  change();
  expect(port.postMessage).toHaveBeenCalledTimes(1);
  expect(port.close).toHaveBeenCalledOnce();
  expect(origin.close).toHaveBeenCalledOnce();
});

it('names what most keys of a request are of: the item, or the pallet if they are of several', () => {
  const names = createKeyNames(crypto);
  names.add([staking, { pallet: 'System', prefix: 'System', items: ['Number'] }]);
  const ofSystem = [keyOf('System', 'Number'), Uint8Array.of(1), keyOf('Unknown', 'Item')];
  const requests = [{ child: null, keys: [...ofSystem, ...ledgers] }];
  expect(largestPart(requests, names)).toEqual({ pallet: 'Staking', item: 'Ledger', keys: 3 });
  const more = [...requests, { child: null, keys: [keyOf('StakingOfOld', 'Bonded')] }];
  expect(largestPart(more, names)).toEqual({ pallet: 'Staking', item: null, keys: 4 });
  // An item that the metadata does not have is of its pallet.
  const unknown = [{ child: null, keys: [keyOf('System', 'Gone')] }];
  expect(largestPart(unknown, names)).toEqual({ pallet: 'System', item: null, keys: 1 });
  // Keys of a child trie are those of a contract.
  expect(largestPart([{ child: Uint8Array.of(1), keys: ledgers }], names)).toBeNull();
});

it('reads the names once, while a request is under way, and goes on without them if they cannot be read', async () => {
  const { reported, timers, port } = setUp();
  const load = vi.fn(async () => [staking]);
  reported.nameBy(load);
  expect(load).not.toHaveBeenCalled();
  for (let request = 0; request < 2; request++)
    await reported.nodes(Uint8Array.of(), [{ child: null, keys: ledgers }], []);
  expect(load).toHaveBeenCalledOnce();
  timers.shift()?.();
  expect(port.postMessage.mock.lastCall).toMatchObject([
    { items: 6, reading: { pallet: 'Staking', item: 'Ledger', keys: 3 } },
  ]);
  const other = setUp();
  other.reported.nameBy(() => Promise.reject(new Error('no metadata')));
  expect(await other.reported.nodes(Uint8Array.of(), [{ child: null, keys: ledgers }], [])).toEqual([]);
  other.timers.shift()?.();
  expect(other.port.postMessage.mock.lastCall).toMatchObject([{ reading: null }]);
});
