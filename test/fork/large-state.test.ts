import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import type { Node } from '../../worker/node.ts';
import { sealOn } from '../rigs/seal-on.ts';
import { importFork, openForkOf } from './fork-rig.ts';
import { type LargeChain, openLargeChain } from './large-chain.ts';
import { createSigner, type NamedCall } from './signer.ts';

const accounts = 100_000;
const manual = { finality: { kind: 'manual' } } as const;

describe(`the default chain with ${accounts} accounts`, () => {
  let keys: LargeChain['keys'];
  let live: Node;
  beforeAll(async () => {
    ({ keys, live } = await openLargeChain(accounts));
  }, 120_000);
  afterAll(() => live?.close());

  it('transfers, removals by key and by prefix: the live chain computes the blocks of its fork', async () => {
    const sign = createSigner();
    const { node, call } = await openForkOf(live, { block: '0', changes: manual });
    const { chain } = node.parts;
    const include = async (...calls: Parameters<typeof sign>[2]): Promise<void> => {
      const transactions = await sign(node, chain.best().hash, calls);
      await call('dev_newBlock', { transactions });
    };
    const sudo = ([pallet, name, args]: NamedCall) =>
      ['//Alice', ['Sudo', 'sudo', { call: { [pallet]: { [name]: args } } }]] as const;
    const isThere = (key: string): Promise<boolean> =>
      chain.withState(chain.best().hash, (state) => state.get(hexToBytes(key)) !== null);
    for (let block = 0; block < 10; block++) {
      const dest = { Id: keys.idOf(block * 997) };
      await include(['//Alice', ['Balances', 'transfer_allow_death', { dest, value: '1000000000000' }]]);
    }
    const some = Array.from({ length: 100 }, (_, index) => keys.keyOf(index * 991 + 7));
    const [first = ''] = some;
    expect(await isThere(first)).toBe(true);
    await include(sudo(['System', 'kill_storage', { keys: some }]));
    expect(await isThere(first)).toBe(false);
    // All accounts whose hashes begin with this byte.
    const prefix = `${keys.prefix}a7`;
    const under = () => call<string[]>('state_getKeysPaged', prefix, 1000, null);
    expect((await under()).length).toBeGreaterThan(300);
    await include(sudo(['System', 'kill_prefix', { prefix, subkeys: 1000 }]));
    expect(await under()).toEqual([]);
    while (chain.best().number < 20) await sealOn(node);
    await importFork(live, node);
    await node.close();
  }, 120_000);
});
