import { u8aToHex } from '@polkadot/util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorCodes } from '../../src/protocol/errors.ts';
import { Reader } from '../../worker/bytes/reader.ts';
import { type DevNode, lastingDatabase, rejection, startDevNode } from '../rigs/dev-node.ts';

let dev: DevNode;
afterEach(() => dev.stop());

const zoe = () => dev.pair('//Zoe');
const unit = 10n ** 12n;
const ref = (node: DevNode) => ({ hash: node.best().hash, number: node.best().number });
const status = () => dev.node.status();

describe('dev_setStorage', () => {
  beforeEach(async () => {
    dev = await startDevNode();
  });
  const key = '0xfeedbeef';

  it('changes the state of the best block for reads, subscriptions and the next block, and marks it', async () => {
    const hash = await dev.call<string>('dev_newBlock');
    const values = await dev.follow('state_subscribeStorage', [key]);
    expect(await status()).toMatchObject({ modified: false, edited: [] });
    expect(await dev.call('dev_setStorage', [[key, '0x0102']])).toBe(hash);
    expect((await status()).edited).toEqual([hash]);
    expect(await dev.call('state_getStorage', key)).toBe('0x0102');
    await expect.poll(() => values.at(-1)).toEqual({ block: hash, changes: [[key, '0x0102']] });
    await dev.call('dev_newBlock');
    expect(await dev.call('state_getStorage', key)).toBe('0x0102');
    expect((await status()).modified).toBe(true);
    await dev.call('dev_setStorage', [[key, null]]);
    expect(await dev.call('state_getStorage', key)).toBeNull();
    expect(await dev.call('state_getStorage', key, hash)).toBe('0x0102');
  });

  it('marks no block whose state is again the one that its header commits to', async () => {
    const hash = await dev.call<string>('dev_newBlock');
    await dev.call('dev_setStorage', [[key, '0x01']]);
    await dev.call('dev_setStorage', [['0xfeedbeee', '0x02']]);
    await dev.call('dev_setStorage', [[key, null]]);
    expect(await status()).toMatchObject({ modified: true, edited: [hash] });
    await dev.call('dev_setStorage', [['0xfeedbeee', null]]);
    expect(await status()).toMatchObject({ modified: false, edited: [] });
    await dev.call('dev_newBlock');
    expect(await dev.call('state_getStorage', '0xfeedbeee')).toBeNull();
    expect((await status()).modified).toBe(false);
  });

  it('accepts names like chopsticks: plain items and map entries, by key bytes or address', async () => {
    await dev.call('dev_newBlock');
    const account = zoe();
    const info = `0x${'00'.repeat(8)}01000000${'00'.repeat(4)}39${'00'.repeat(62)}80`;
    await dev.call('dev_setStorage', {
      System: { Account: [[[account.address], info]] },
      Sudo: { Key: u8aToHex(account.publicKey) },
    });
    expect(await dev.free(account.publicKey)).toBe(0x39n);
    expect(await dev.read(dev.itemKey('Sudo', 'Key'))).toEqual(account.publicKey);
    expect(await rejection(dev.call('dev_setStorage', { Sudo: { Nothing: '0x00' } }))).toMatchObject({
      code: 1,
      data: 'Unsupported',
    });
    expect(await rejection(dev.call('dev_setStorage', { System: { Account: '0x00' } }))).toMatchObject({
      data: 'BadValue',
    });
  });

  it('refuses a block with children, and an unknown one', async () => {
    const first = await dev.call<string>('dev_newBlock', { count: 1 });
    await dev.call('dev_newBlock');
    const edit = [[key, '0x01']];
    expect(await rejection(dev.call('dev_setStorage', edit, first))).toMatchObject({ code: 1 });
    expect(await dev.call('state_getStorage', key)).toBeNull();
    expect(await rejection(dev.call('dev_setStorage', edit, `0x${'77'.repeat(32)}`))).toMatchObject({
      data: 'UnknownBlock',
    });
  });

  it('is undone by restoring a snapshot of the same block, and by a reset', async () => {
    await dev.call('dev_newBlock');
    await dev.call('dev_snapshot', 'clean');
    await dev.call('dev_setStorage', [[key, '0x01']]);
    await dev.call('dev_snapshot', 'changed');
    await dev.call('dev_restore', 'clean');
    expect(await dev.call('state_getStorage', key)).toBeNull();
    expect((await status()).modified).toBe(false);
    await dev.call('dev_restore', 'changed');
    expect(await dev.call('state_getStorage', key)).toBe('0x01');
    await dev.call('dev_reset');
    expect((await status()).modified).toBe(false);
  });
});

it('a dev state persists when reopened', async () => {
  const db = lastingDatabase();
  dev = await startDevNode({ db });
  await dev.call('dev_newBlock');
  await dev.call('dev_setStorage', [['0xfeed', '0x01']]);
  await dev.stop();
  dev = await startDevNode({ db });
  expect(await dev.call('state_getStorage', '0xfeed')).toBe('0x01');
  expect((await status()).modified).toBe(true);
  await dev.call('dev_newBlock');
  expect(await dev.call('state_getStorage', '0xfeed')).toBe('0x01');
});

describe('dev_fund', () => {
  it('is a sudo extrinsic in a normal block if the keystore has the sudo key', async () => {
    dev = await startDevNode();
    await dev.call('author_submitExtrinsic', await dev.transfer('//Alice', zoe().publicKey, unit, 0));
    const funded = await dev.call<{ hash: string; by: string }>('dev_fund', zoe().address, `${55n * unit}`);
    expect(funded).toEqual({ hash: dev.best().hash, by: 'sudo' });
    expect(await dev.free(zoe().publicKey)).toBe(55n * unit);
    expect((await status()).modified).toBe(false);
    const { block } = await dev.call<{ block: { extrinsics: string[] } }>('chain_getBlock');
    // Another node accepts the unmodified chain.
    const file = await dev.call<string>('dev_exportChain');
    expect(block.extrinsics.length).toBeGreaterThan(2);
    const other = await startDevNode({ changes: { keys: [] } });
    expect(await other.call('dev_importChain', file)).toMatchObject({ blocks: 1, hash: funded.hash });
    expect(await other.free(zoe().publicKey)).toBe(55n * unit);
    await other.stop();
  });

  it('works in seal mode instant', async () => {
    dev = await startDevNode({ changes: { seal: { kind: 'instant' } } });
    expect(await dev.call('dev_fund', u8aToHex(zoe().publicKey), 3n * unit)).toMatchObject({ by: 'sudo' });
    expect(await dev.free(zoe().publicKey)).toBe(3n * unit);
  });

  it('is a dev state otherwise, with the issuance adjusted', async () => {
    dev = await startDevNode({ changes: { keys: [] } });
    const total = async () =>
      new Reader((await dev.read(dev.itemKey('Balances', 'TotalIssuance'))) as Uint8Array).u128();
    const before = await total();
    expect(await dev.call('dev_fund', zoe().address, `${7n * unit}`)).toMatchObject({ by: 'storage' });
    expect(await dev.free(zoe().publicKey)).toBe(7n * unit);
    expect((await total()) - before).toBe(7n * unit);
    expect((await status()).modified).toBe(true);
    expect(await rejection(dev.call('dev_fund', 'no address', 1))).toMatchObject({ code: -32602 });
    expect(await rejection(dev.call('dev_fund', zoe().address, -1))).toMatchObject({ code: -32602 });
  });
});

describe('dev_impersonate', () => {
  const forge = (nonce: number): Promise<string> => dev.forge('//Bob', zoe().publicKey, unit, nonce);

  it('accepts a mock signature only of that account, while enabled, and reports it', async () => {
    dev = await startDevNode();
    const forged = await forge(0);
    // Invalid: bad proof.
    expect(await dev.call('system_dryRun', forged)).toBe('0x010004');
    expect(await rejection(dev.call('author_submitExtrinsic', forged))).toMatchObject({ code: 1010 });
    await dev.call('dev_impersonate', dev.pair('//Charlie').address);
    expect(await rejection(dev.call('author_submitExtrinsic', forged))).toMatchObject({ code: 1010 });
    await dev.call('dev_impersonate', dev.pair('//Bob').address);
    expect(await status()).toMatchObject({
      modified: true,
      impersonated: expect.arrayContaining([u8aToHex(dev.pair('//Bob').publicKey)]),
    });
    expect(await dev.call('system_dryRun', forged)).toBe('0x0000');
    await dev.call('author_submitExtrinsic', forged);
    await dev.call('dev_newBlock');
    expect(await dev.free(zoe().publicKey)).toBe(unit);
    // The block can be executed again.
    expect(await dev.call('dev_getBlockStats', dev.best().hash)).toMatchObject({ numExtrinsics: 2 });
    await dev.call('dev_impersonate', dev.pair('//Bob').address, false);
    expect(await rejection(dev.call('author_submitExtrinsic', await forge(1)))).toMatchObject({ code: 1010 });
    await dev.call('dev_impersonate', dev.pair('//Charlie').address, false);
    // The chain still contains the forged extrinsic.
    expect(await status()).toMatchObject({ modified: true, impersonated: [] });
    await dev.call('dev_reset');
    expect(await status()).toMatchObject({ modified: false, impersonated: [] });
  });
});

describe('dev_exportChain and dev_importChain', () => {
  it.each(['json', 'binary'] as const)('transfer a chain to another node, as %s', async (format) => {
    dev = await startDevNode();
    await dev.call('dev_newBlock', {
      transactions: [await dev.transfer('//Alice', zoe().publicKey, unit, 0)],
    });
    await dev.call('dev_snapshot', 'one');
    await dev.call('dev_newBlock', { count: 2 });
    const data = await dev.call<string>('dev_exportChain', format);
    const other = await startDevNode({ changes: { keys: [] } });
    const imported = await other.call('dev_importChain', data);
    expect(imported).toEqual({ blocks: 3, snapshots: format === 'json' ? 1 : 0, ...ref(other) });
    expect(other.best().hash).toBe(dev.best().hash);
    expect(await other.free(zoe().publicKey)).toBe(unit);
    expect(await other.call('dev_importChain', data)).toMatchObject({ number: 3 });
    if (format === 'json') {
      await other.call('dev_restore', 'one');
      expect(other.best().number).toBe(1);
    }
    await other.stop();
  });

  it('an import in several requests lets no block of the node come between them', async () => {
    dev = await startDevNode();
    await dev.call('dev_newBlock', { count: 4 });
    const [first, last] = await Promise.all(
      [
        [1, 2],
        [3, 4],
      ].map(([from, to]) => dev.call<string>('dev_exportChain', 'json', from, to)),
    );
    const other = await startDevNode();
    const stopped = await rejection(other.call('dev_importChain', '{"block":0}', true));
    expect(stopped).toMatchObject({ code: 1 });
    // An import that failed holds nothing back.
    await other.call('dev_newBlock');
    await other.call('dev_reset');
    await other.call('dev_importChain', first, true);
    for (const build of [
      () => other.call('engine_createBlock', true, false),
      () => other.call('dev_newBlock'),
      () => other.call('dev_reset'),
      () => other.call('dev_setStorage', [['0xfeedbeef', '0x01']]),
    ])
      expect(await rejection(build())).toMatchObject({
        message: expect.stringContaining('Blocks are being imported'),
      });
    expect(await other.call('dev_importChain', last)).toMatchObject({ number: 4, hash: dev.best().hash });
    await other.call('dev_newBlock');
    expect(other.best().number).toBe(5);
    await other.stop();
  });

  it('refuse a changed block, another chain, and anything that is not an export', async () => {
    dev = await startDevNode();
    await dev.call('dev_newBlock', { count: 2 });
    const lines = (await dev.call<string>('dev_exportChain', 'json', 1, 1)).trim().split('\n');
    expect(lines).toHaveLength(2);
    const changed = (lines[1] as string).replace(/"stateRoot":"0x../, '"stateRoot":"0x00');
    const other = await startDevNode({ changes: { keys: [] } });
    const refused = (data: string) => rejection(other.call('dev_importChain', data));
    expect(await refused(changed)).toMatchObject({ code: 1 });
    expect(await refused(JSON.stringify({ tabnode: 1, genesisHash: `0x${'00'.repeat(32)}` }))).toMatchObject({
      data: 'BadSpec',
    });
    for (const bad of ['{', '{"block":{}}', '0x01', `0x${'ff'.repeat(8)}`, '0x0100000000000000ff'])
      expect(await refused(bad)).toMatchObject({ code: 1 });
    expect(other.best().number).toBe(0);
    await other.stop();
  });

  it('return an error code of the node, whichever byte of a header is wrong', {
    timeout: 60_000,
  }, async () => {
    dev = await startDevNode();
    await dev.call('dev_newBlock');
    const digits = (await dev.call<string>('dev_exportChain', 'binary')).slice(2);
    const other = await startDevNode({ changes: { keys: [] } });
    const wrong: unknown[] = [];
    // After the count of blocks: parent, number, two roots, digest up to BABE's seal.
    const end = digits.indexOf('0542414245') / 2;
    for (let at = 8; at < end; at++) {
      if (digits.startsWith('ff', 2 * at)) continue;
      const changed = `0x${digits.slice(0, 2 * at)}ff${digits.slice(2 * at + 2)}`;
      const error = (await rejection(other.call('dev_importChain', changed))) as {
        code: number;
        data: string;
      };
      if (error.code !== 1 || !Object.hasOwn(errorCodes, error.data))
        wrong.push({ at, error: String(error) });
    }
    expect(end).toBeGreaterThan(100);
    expect(wrong).toEqual([]);
    expect(other.best().number).toBe(0);
    await other.stop();
  });
});
