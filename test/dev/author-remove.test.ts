import { Keyring } from '@polkadot/keyring';
import { blake2AsHex, cryptoWaitReady } from '@polkadot/util-crypto';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Dialect } from '../../src/protocol/node.ts';
import { createNode } from '../../worker/node.ts';
import { openWire } from '../clients/wire.ts';
import { openApi } from '../rigs/api.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';

let extrinsics: string[] = [];
const hashes = (): string[] => extrinsics.map((extrinsic) => blake2AsHex(extrinsic));
const closing: (() => Promise<void>)[] = [];

const openNode = async (banSeconds: number) => {
  const config = testConfig('development', { finality: { kind: 'manual' }, pool: { banSeconds } });
  const node = await createNode(createTestPlatform(), config);
  closing.push(() => node.close());
  return node;
};

/** Three consecutive transactions of Alice, then one of Bob, the same for every test. */
beforeAll(async () => {
  await cryptoWaitReady();
  const { api, close } = await openApi(await openNode(0));
  const keyring = new Keyring({ type: 'sr25519' });
  const sign = async (from: string, nonce: number): Promise<string> => {
    const call = api.tx['system']?.['remark']?.('0x01');
    return (await call?.signAsync(keyring.addFromUri(from), { nonce, era: 0 }))?.toHex() ?? '';
  };
  extrinsics = [
    await sign('//Alice', 0),
    await sign('//Alice', 1),
    await sign('//Alice', 2),
    await sign('//Bob', 0),
  ];
  await close();
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const openFilled = async (dialect: Dialect) => {
  const wire = openWire(await openNode(1800), { dialect });
  for (const extrinsic of extrinsics) await wire.call('author_submitExtrinsic', extrinsic);
  return wire;
};

type Forms = readonly (readonly [form: string, params: () => readonly unknown[]])[];
/** The form that the SDK's node accepts: a list of objects. */
const named: Forms = [
  ['a list with a named hash', () => [[{ hash: hashes()[1] }]]],
  ['a list with a named extrinsic', () => [[{ extrinsic: extrinsics[1] }]]],
  ['the same one twice', () => [[{ hash: hashes()[1] }, { extrinsic: extrinsics[1] }]]],
];
/** Additional forms of PSP-6. */
const bare: Forms = [
  ['a hash', () => [hashes()[1]]],
  ['a hash without prefix, in capitals', () => [hashes()[1]?.slice(2).toUpperCase()]],
  ['an extrinsic', () => [extrinsics[1]]],
  ['a list of a hash', () => [[hashes()[1]]]],
  ['a list of an extrinsic', () => [[extrinsics[1]]]],
  ['one named hash', () => [{ hash: hashes()[1] }]],
  ['one named extrinsic', () => [{ extrinsic: extrinsics[1] }]],
  ['two hashes in a row', () => [hashes()[1], hashes()[2]]],
];

describe('author_removeExtrinsic', () => {
  it.each(named)('%s: removes the transaction and its dependents', async (_form, params) => {
    const wire = await openFilled('polkadot-sdk');
    expect(await wire.call('author_removeExtrinsic', ...params())).toEqual([hashes()[1], hashes()[2]]);
    expect(await wire.call('author_pendingExtrinsics')).toEqual([extrinsics[0], extrinsics[3]]);
  });

  it.each([...named, ...bare])('%s: the same under psp-6', async (_form, params) => {
    const wire = await openFilled('psp-6');
    await wire.call('author_removeExtrinsic', ...params());
    expect(await wire.call('author_pendingExtrinsics')).toEqual([extrinsics[0], extrinsics[3]]);
  });

  it.each(bare)('%s: refused under polkadot-sdk, and removes nothing', async (_form, params) => {
    const wire = await openFilled('polkadot-sdk');
    expect((await wire.ask('author_removeExtrinsic', ...params())).error).toEqual({
      code: -32602,
      message: 'Invalid params',
      data: expect.stringMatching(/^unknown variant `|^invalid type: (string "|map)/),
    });
    expect((await wire.call<string[]>('author_pendingExtrinsics')).length).toBe(4);
  });

  it('returns complete extrinsics under psp-6', async () => {
    const wire = await openFilled('psp-6');
    expect(await wire.call('author_removeExtrinsic', hashes()[1])).toEqual([extrinsics[1], extrinsics[2]]);
  });

  it('bans only the given ones, even if they are not in the pool', async () => {
    const wire = openWire(await openNode(1800));
    expect(await wire.call('author_removeExtrinsic', [{ hash: hashes()[3] }])).toEqual([]);
    for (const extrinsic of extrinsics.slice(0, 3)) await wire.call('author_submitExtrinsic', extrinsic);
    await wire.call('author_removeExtrinsic', [{ hash: hashes()[1] }]);
    expect((await wire.ask('author_submitExtrinsic', extrinsics[3])).error?.code).toBe(1012);
    expect((await wire.ask('author_submitExtrinsic', extrinsics[1])).error?.code).toBe(1012);
    expect((await wire.ask('author_submitExtrinsic', extrinsics[2])).error).toBe(undefined);
  });

  it('refuses undecodable input without removing anything', async () => {
    const wire = await openFilled('polkadot-sdk');
    const undecodable = await wire.ask('author_removeExtrinsic', [
      { hash: hashes()[0] },
      { extrinsic: '0xff' },
    ]);
    expect(undecodable.error?.code).toBe(1001);
    for (const [params, data] of [
      [[['x']], 'unknown variant `x`, expected `hash` or `extrinsic`'],
      [['x'], 'invalid type: string "x", expected a sequence'],
      [[], 'No more params'],
      [[[{ hash: '0x12' }]], expect.stringContaining('32 bytes')],
      [[[{ other: '0x12' }]], expect.stringContaining('unknown variant `other`')],
      [[[{}]], expect.any(String)],
      [[[[]]], expect.any(String)],
      [[5], expect.stringContaining('a sequence')],
    ] as const)
      expect((await wire.ask('author_removeExtrinsic', ...params)).error).toEqual({
        code: -32602,
        message: 'Invalid params',
        data,
      });
    expect((await wire.call<string[]>('author_pendingExtrinsics')).length).toBe(4);
  });

  it.each(['psp-6', 'polkadot-sdk'] as const)('is denied with the unsafe calls, %s', async (dialect) => {
    const wire = openWire(await openNode(0), { dialect, denyUnsafe: true });
    expect((await wire.ask('author_removeExtrinsic', [])).error?.code).toBe(-32601);
  });
});
