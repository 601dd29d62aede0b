import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { concatBytes, textToBytes } from '../../worker/bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { Writer } from '../../worker/bytes/writer.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { sealOn } from '../rigs/seal-on.ts';
import { importFork, openForkOf } from './fork-rig.ts';
import { createSigner, type NamedCall } from './signer.ts';

const accounts = 100_000;
const manual = { finality: { kind: 'manual' } } as const;

/** The key of account `index` in `System.Account`, as hex without `0x`. */
const createKeys = async () => {
  const crypto = await loadCrypto();
  const prefix = concatBytes(crypto.twox128(textToBytes('System')), crypto.twox128(textToBytes('Account')));
  const idOf = (index: number): Uint8Array => crypto.blake2b256(new Writer(8).u32(index).finish());
  return {
    prefix: bytesToHex(prefix),
    idOf: (index: number): string => bytesToHex(idOf(index)),
    keyOf: (index: number): string => {
      const id = idOf(index);
      return bytesToHex(concatBytes(prefix, crypto.blake2b128(id), id));
    },
  };
};

describe(`the default chain with ${accounts} accounts`, () => {
  let keys: Awaited<ReturnType<typeof createKeys>>;
  let live: Node;
  beforeAll(async () => {
    keys = await createKeys();
    const small = await createNode(createTestPlatform(), testConfig('development'));
    const { top } = (small.parts.chain.genesisJson(true) as { raw: { top: Record<string, string> } }).raw;
    await small.close();
    // Nonce 0, one provider, 100 units of 12 decimals, the flag of new accounts.
    const info = `0x${'00'.repeat(8)}01000000${'00'.repeat(4)}${'00407a10f35a'.padEnd(126, '0')}80`;
    for (let index = 0; index < accounts; index++) top[keys.keyOf(index)] = info;
    const genesis = { raw: { top, childrenDefault: {} } };
    const spec = {
      name: 'Large',
      id: 'large',
      chainType: 'Development',
      bootNodes: [],
      properties: {},
      genesis,
    };
    const source = { specJson: JSON.stringify(spec) };
    live = await createNode(createTestPlatform(), testConfig(source, manual));
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
