import { expect, test } from '@playwright/test';
import { createSender, openStill } from './chain-page.ts';
import { ask } from './node-line.ts';

/** More than are verified one by one. */
const count = 40;

test('signatures of many transactions are verified in a worker of its own, which no start loads', async ({
  context,
  page,
}) => {
  const helper = (url: string) => url.includes('signature-worker');
  const requests: string[] = [];
  context.on('request', (request) => requests.push(request.url()));
  await openStill(page);
  const send = await createSender(page);
  const signed = Array.from({ length: count }, (_, nonce) =>
    send(nonce, 'System', 'remark', { remark: `0x${nonce.toString(16).padStart(2, '0')}` }),
  );
  expect(requests.some(helper)).toBe(false);
  const started = page.waitForEvent('worker', (worker) => helper(worker.url()));
  await Promise.all(signed.slice(0, 20).map((extrinsic) => ask(page, 'author_submitExtrinsic', extrinsic)));
  await started;
  await Promise.all(signed.slice(20).map((extrinsic) => ask(page, 'author_submitExtrinsic', extrinsic)));
  await ask(page, 'dev_newBlock');
  const { block } = await ask<{ block: { extrinsics: string[] } }>(page, 'chain_getBlock');
  expect(block.extrinsics.slice(-count)).toEqual(signed);
});
