import { hexToU8a, u8aToHex } from '@polkadot/util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeValue } from '../../src/scale/decode.ts';
import { encodeGiven } from '../../src/scale/given/given.ts';
import { decodedToPolkadotJs } from '../../src/scale/json.ts';
import { explainKey } from '../../src/scale/storage.ts';
import { Reader } from '../../worker/bytes/reader.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { loadMeta } from '../../worker/dev/metadata.ts';
import { unpackCode } from '../../worker/executor/code-blob.ts';
import { openApi } from '../rigs/api.ts';
import { type DevNode, rejection, startDevNode } from '../rigs/dev-node.ts';
import { hasFixtures, loadFixtureJson } from '../rigs/fixtures.ts';
import { editSection } from '../rigs/migrating-runtime.ts';
import { loadNextRuntime } from '../rigs/platform.ts';

let dev: DevNode;
beforeAll(async () => {
  dev = await startDevNode();
  await dev.call('dev_newBlock');
});
afterAll(() => dev.stop());

const alice = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const zoe = () => dev.pair('//Zoe');
const set = (values: unknown) => dev.call('dev_setStorage', values);
const refused = async (values: unknown): Promise<string> => {
  const error = (await rejection(set(values))) as { code: number; data: string; message: string };
  expect(error).toMatchObject({ code: 1, data: 'BadValue' });
  return error.message;
};

/** The values of all plain items of the chain, with polkadot-js's JSON for each. */
const readAll = async () => {
  const { api, close } = await openApi(dev.node);
  const keys = await dev.call<string[]>('state_getKeysPaged', '0x', 1000, null);
  const entries = Object.values(api.query)
    .flatMap((pallet) => Object.values(pallet))
    // polkadot-js also lists `:code` and similar keys, and pallet versions, as items; the metadata does not.
    .filter(({ creator }) => creator.section !== 'substrate' && creator.method !== 'palletVersion');
  const found: { key: string; value: string; pallet: string; item: string; json: unknown }[] = [];
  for (const key of keys) {
    const entry = entries.find((one) => key.startsWith(one.keyPrefix()));
    if (entry === undefined || !entry.creator.meta.type.isPlain) continue;
    const value = await dev.call<string>('state_getStorage', key);
    const { meta, prefix } = entry.creator;
    const type = api.registry.createLookupType(meta.type.asPlain);
    const json: unknown = api.registry.createType(type, hexToU8a(value)).toJSON();
    found.push({ key, value, pallet: prefix, item: meta.name.toString(), json });
  }
  await close();
  return found;
};

describe('dev_setStorage with decoded values', () => {
  it('accepts the form of chopsticks: missing fields get their default', async () => {
    await set({ System: { Account: [[[zoe().address], { providers: 1, data: { free: '123456789' } }]] } });
    expect(await dev.free(zoe().publicKey)).toBe(123_456_789n);
    const info = new Reader((await dev.read(dev.accountKey(zoe().publicKey))) as Uint8Array);
    expect([info.u32(), info.u32(), info.u32(), info.u32()]).toEqual([0, 0, 1, 0]);
    expect(info.remaining).toBe(64);
    await dev.call('dev_newBlock');
    expect(await dev.free(zoe().publicKey)).toBe(123_456_789n);
  });

  it('plain items: accounts, numbers as numbers, digits and hex, pallets in both spellings', async () => {
    await set({ Sudo: { Key: zoe().address } });
    expect(await dev.read(dev.itemKey('Sudo', 'Key'))).toEqual(zoe().publicKey);
    const total = async () =>
      new Reader((await dev.read(dev.itemKey('Balances', 'TotalIssuance'))) as Uint8Array).u128();
    for (const [written, read] of [
      [7, 7n],
      ['340282366920938463463374607431768211455', 2n ** 128n - 1n],
      [0, 0n],
    ] as const) {
      await set({ balances: { totalIssuance: written } });
      expect(await total()).toBe(read);
    }
    // Hex in place of a whole value is SCALE, as in chopsticks.
    await set({ Balances: { TotalIssuance: `0x05${'00'.repeat(15)}` } });
    expect(await total()).toBe(5n);
    await set({ Sudo: { Key: null } });
    expect(await dev.read(dev.itemKey('Sudo', 'Key'))).toBeNull();
    await set({ Sudo: { Key: alice } });
  });

  it('refuses to leave the state without a runtime that runs', async () => {
    const code = u8aToHex(new TextEncoder().encode(':code'));
    for (const value of [null, '0x', '0x0061736d'])
      await expect(set([[code, value]])).rejects.toMatchObject({ data: 'BadCode' });
    // The code that the next block would run.
    const pending = u8aToHex(new TextEncoder().encode(':pending_code'));
    for (const value of ['0x', '0xdeadbeef', '0x0061736d'])
      await expect(set([[pending, value]])).rejects.toMatchObject({ data: 'BadCode' });
    await set([[pending, null]]);
    // Modules that load, and that no block could be built on.
    const crypto = await loadCrypto();
    const next = await loadNextRuntime();
    const withoutApis = editSection(crypto, next, 'runtime_apis', (section) => section.fill(0));
    const renamed = unpackCode(next, crypto.unzstd).slice();
    // The name of the export.
    renamed[Buffer.from(renamed.buffer).indexOf('Core_initialize_block')] = 0x58;
    for (const [module, lacks] of [
      [withoutApis, 'no runtime API "Core"'],
      [renamed, 'no Core_initialize_block'],
    ] as const)
      await expect(set([[code, u8aToHex(module)]])).rejects.toMatchObject({
        data: 'BadCode',
        message: `The code has ${lacks}, so no block could be built on it: give the runtime of a chain`,
      });
    await dev.call('dev_newBlock');
    expect(await dev.call('state_getRuntimeVersion')).toMatchObject({ specName: 'tabnode' });
  });

  it("accepts every plain value of the chain in polkadot-js's form", async () => {
    const all = await readAll();
    expect(all.length).toBeGreaterThan(20);
    const wrong: unknown[] = [];
    for (const { key, value, pallet, item, json } of all) {
      // At the top level, hex is SCALE and null removes, so these are not interpreted by type. Events have a
      // JSON form that even polkadot-js does not accept.
      if (item === 'Events' || json === null || (typeof json === 'string' && json.startsWith('0x'))) continue;
      await set([[key, '0xff']]);
      const error = await rejection(set({ [pallet]: { [item]: json } }));
      const written = await dev.call<string | null>('state_getStorage', key);
      if (written !== value) wrong.push({ pallet, item, json, value, written, error: String(error) });
      await set([[key, value]]);
    }
    expect(wrong).toEqual([]);
  });

  it('decodes every value of the chain, and encodes it to the same bytes again', async () => {
    const meta = await loadMeta(dev.node.parts.chain, dev.best().hash);
    if (meta === null) throw new Error('the metadata is not V14');
    let compared = 0;
    for (const key of await dev.call<string[]>('state_getKeysPaged', '0x', 1000, null)) {
      const meaning = explainKey(meta, key);
      if (meaning.kind !== 'entry') continue;
      const { name, value } = meaning.entry;
      const bytes = (await dev.read(key)) as Uint8Array;
      const shown = decodedToPolkadotJs(decodeValue(meta, value, bytes));
      expect(encodeGiven(meta, value, shown, name), `${name} ${key}`).toEqual(bytes);
      compared++;
    }
    expect(compared).toBeGreaterThan(40);
  });

  it('$removePrefix empties a map before entries are written to it', async () => {
    const prefix = dev.itemKey('System', 'Account');
    const before = await dev.call<string[]>('state_getKeysPaged', prefix, 1000, null);
    expect(before.length).toBeGreaterThan(2);
    await set({ System: { $removePrefix: ['Account'], Account: [[[alice], { data: { free: 5 } }]] } });
    expect(await dev.call<string[]>('state_getKeysPaged', prefix, 1000, null)).toEqual([
      dev.accountKey(dev.pair('//Alice').publicKey),
    ]);
    expect(await dev.free(dev.pair('//Alice').publicKey)).toBe(5n);
  });

  it('accepts as many entries as fit in a request', async () => {
    const hash = `0x${'cd'.repeat(32)}`;
    const entries = Array.from({ length: 150_000 }, (_, index) => [[index + 1000], hash]);
    await set({ System: { BlockHash: entries } });
    const prefix = dev.itemKey('System', 'BlockHash');
    expect((await dev.call<string[]>('state_getKeysPaged', prefix, 1000, null)).length).toBe(1000);
    const error = await rejection(set({ System: { $removePrefix: ['BlockHash'] } }));
    expect(error).toMatchObject({ code: 1, data: 'LimitReached' });
    await dev.call('dev_reset');
  }, 60_000);

  it('reports what is wrong, where, and what to write instead', async () => {
    const account = (info: unknown) => ({ System: { Account: [[[alice], info]] } });
    expect(await refused(account({ data: { free: '12 DOT' } }))).toBe(
      'System.Account[0][1].data.free: "12 DOT" is not a u128: write a whole number, or its decimal digits as text',
    );
    expect(await refused(account({ nonce: -1 }))).toMatch(
      /^System\.Account\[0\]\[1\]\.nonce: -1 does not fit a u32/,
    );
    expect(await refused(account({ data: { fre: 1 } }))).toBe(
      'System.Account[0][1].data: there is no field "fre"; there are free, reserved, frozen, flags',
    );
    expect(await refused(account(7))).toMatch(/^System\.Account\[0\]\[1\]: 7 is no object.*nonce, consumers/);
    expect(await refused(account('0xzz'))).toMatch(/^System\.Account\[0\]\[1\]: "z" at position 2/);
    expect(await refused({ Sudo: { Key: '5Grw' } })).toMatch(/^Sudo\.Key: "5Grw" is no address/);
    expect(await refused({ System: { Account: [[[alice, alice], null]] } })).toBe(
      'System.Account[0][0]: the map has 1 key, not 2',
    );
    expect(await refused({ System: { Account: [[[null], { nonce: 1 }]] } })).toBe(
      'System.Account[0][0][0]: there is no key: write it in place of null',
    );
    expect(await refused({ System: { Account: { [alice]: {} } } })).toBe(
      'System.Account: a map is written as a list of [[key, …], value]',
    );
    expect(await refused({ System: { $removePrefix: 'Account' } })).toMatch(/^System\.\$removePrefix: /);
    const unknown = (await rejection(set({ Sytem: { Account: [] } }))) as { message: string; data: string };
    expect(unknown).toMatchObject({
      data: 'Unsupported',
      message: expect.stringContaining('no pallet Sytem'),
    });
    expect(await rejection(set({ System: { Acount: [] } }))).toMatchObject({
      message: expect.stringMatching(/System\.Acount.*Account/),
    });
    // A refused call writes nothing.
    const key = dev.itemKey('Sudo', 'Key');
    const before = await dev.call('state_getStorage', key);
    await refused({ Sudo: { Key: zoe().address }, System: { Account: [[[alice], 7]] } });
    expect(await dev.call('state_getStorage', key)).toBe(before);
  });

  it('map keys by type: numbers, text, several at once, hex as SCALE', async () => {
    await set({ System: { BlockHash: [[[7], `0x${'ab'.repeat(32)}`]] } });
    const { api, close } = await openApi(dev.node);
    expect(u8aToHex((await api.query['system']?.['blockHash']?.(7))?.toU8a())).toBe(`0x${'ab'.repeat(32)}`);
    await set({ System: { BlockHash: [[['0x07000000'], null]] } });
    expect((await api.query['system']?.['blockHash']?.(7))?.isEmpty).toBe(true);
    await set({
      Assets: { Asset: [[[1], { owner: alice, supply: 50, isSufficient: true, status: 'Frozen' }]] },
    });
    await set({ Assets: { Account: [[[1, alice], { balance: 50, reason: 'Sufficient' }]] } });
    const asset = (await api.query['assets']?.['asset']?.(1))?.toHuman();
    expect(asset).toMatchObject({ owner: alice, supply: '50', isSufficient: true, status: 'Frozen' });
    expect((await api.query['assets']?.['account']?.(1, alice))?.toHuman()).toMatchObject({
      balance: '50',
      reason: 'Sufficient',
    });
    await close();
  });
});

describe.skipIf(!hasFixtures)('a runtime whose metadata has no types', () => {
  it('accepts complete keys and hex, and says so', async () => {
    const specJson = JSON.stringify(await loadFixtureJson('chains/westend-raw.json'));
    const old = await startDevNode({ chain: { specJson }, changes: { keys: [] } });
    expect(await rejection(old.call('dev_setStorage', { Sudo: { Key: alice } }))).toMatchObject({
      code: 1,
      data: 'Unsupported',
      message: expect.stringMatching(/older than V14.*hex/),
    });
    const key = old.itemKey('Sudo', 'Key');
    await old.call('dev_setStorage', [[key, '0x01']]);
    expect(await old.call('state_getStorage', key)).toBe('0x01');
    await old.stop();
  });

  it('refuses hex that does not decode as the type to its last byte, and names the right form', async () => {
    const before = await dev.call('dev_status');
    for (const [values, why] of [
      [
        { System: { Number: '0x05' } },
        /^System\.Number: "0x05" is not the SCALE encoding of a u32 \(.*write "0x05000000"$/,
      ],
      [{ System: { Number: '0x0500000000' } }, /^System\.Number: .*\(1 byte left over\)/],
      [
        { Balances: { TotalIssuance: '0x' } },
        /^Balances\.TotalIssuance: "0x" is not the SCALE encoding of a u128/,
      ],
      [
        { System: { ExtrinsicData: [[[0], '0x616263']] } },
        /^System\.ExtrinsicData\[0\]\[1\]: .*write "0x0c616263"$/,
      ],
      [{ System: { Account: [[[alice], '0x00']] } }, /^System\.Account\[0\]\[1\]: .*write the value as JSON/],
      [
        { System: { BlockHash: [[['0x07'], null]] } },
        /^System\.BlockHash\[0\]\[0\]\[0\]: .*write "0x07000000"$/,
      ],
      [{ System: { BlockHash: [[['0x0700000000'], null]] } }, /\(1 byte left over\)/],
    ] as const)
      expect(await refused(values)).toMatch(why);
    expect(await dev.call('dev_status')).toEqual(before);
    // Whole keys and values stay as they are given.
    await set([[`0x${'99'.repeat(32)}`, '0x05']]);
    expect(await dev.call('state_getStorage', `0x${'99'.repeat(32)}`)).toBe('0x05');
    await set([[`0x${'99'.repeat(32)}`, null]]);
  });
});
