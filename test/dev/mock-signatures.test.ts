import { afterEach, expect, it } from 'vitest';
import { type DevNode, lastingDatabase, rejection, startDevNode } from '../rigs/dev-node.ts';

let dev: DevNode;
afterEach(() => dev.stop());

const zoe = () => dev.pair('//Zoe').publicKey;
const unit = 10n ** 12n;
const status = () => dev.node.status();
const submit = (extrinsic: string) => dev.call('author_submitExtrinsic', extrinsic);

it('mockSignatures accepts a mock signature of every account but no other invalid one; the status says so', async () => {
  dev = await startDevNode({ changes: { mockSignatures: true } });
  expect(await status()).toMatchObject({ mockSignatures: true, modified: true, impersonated: [] });
  for (const [index, suri] of ['//Alice', '//Bob'].entries()) {
    await submit(await dev.forge(suri, zoe(), unit, 0));
    await dev.call('dev_newBlock');
    expect(await dev.free(zoe())).toBe(BigInt(index + 1) * unit);
  }
  const wrong = `0xdeadbeef${'cd'.repeat(59)}ce`;
  expect(await rejection(submit(await dev.forge('//Bob', zoe(), unit, 1, wrong)))).toMatchObject({
    code: 1010,
  });
  // Resetting the chain does not disable it.
  await dev.call('dev_reset');
  expect(await status()).toMatchObject({ mockSignatures: true, modified: true });
  await submit(await dev.forge('//Bob', zoe(), unit, 0));
});

it('is off by default', async () => {
  dev = await startDevNode();
  expect(await status()).toMatchObject({ mockSignatures: false, modified: false });
  expect(await rejection(submit(await dev.forge('//Bob', zoe(), unit, 0)))).toMatchObject({ code: 1010 });
});

it('a chain that was run with it stays modified when it is opened without it', async () => {
  const db = lastingDatabase();
  dev = await startDevNode({ db, changes: { mockSignatures: true } });
  await dev.call('dev_reset');
  await submit(await dev.forge('//Bob', zoe(), unit, 0));
  await dev.call('dev_newBlock');
  await dev.stop();
  dev = await startDevNode({ db });
  expect(await status()).toMatchObject({ mockSignatures: false, modified: true });
  expect(await rejection(submit(await dev.forge('//Bob', zoe(), unit, 1)))).toMatchObject({ code: 1010 });
  await dev.call('dev_reset');
  expect(await status()).toMatchObject({ modified: false });
});
