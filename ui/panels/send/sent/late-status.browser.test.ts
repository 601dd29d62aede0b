import { expect, it, vi } from 'vitest';
import { eventsKey } from '../../../../src/scale/events.ts';
import type { UiNode } from '../../../node/client/ui-node.ts';
import { Sent } from '../../../node/tx/sent.svelte.ts';
import { mountIn, settle } from '../../../testing/open-page.ts';
import { useSend } from '../../../testing/open-send.ts';
import SentList from './SentList.svelte';

const { openSend, real } = useSend();
const status = 'author_submitAndWatchExtrinsic';
const [a, b] = ['a', 'b'].map((letter) => `0x${letter.repeat(64)}`) as [string, string];
const hex = '0x1004000001';

/** A transaction in flight, on a node whose answers about its blocks the test gives. */
const openSent = async () => {
  const replies = new Map([a, b].map((hash) => [hash, Promise.withResolvers<void>()]));
  const header = async (number: number) => ({
    ...((await real.request('chain_getHeader', [])) as object),
    number: `0x${number.toString(16)}`,
  });
  const { context, props, subscribers } = openSend((method, [first, second]) => {
    if (method === 'chain_getBlock' && replies.has(String(first)))
      return replies.get(String(first))?.promise.then(async () => ({
        block: { header: await header(first === a ? 2 : 3), extrinsics: [hex] },
      }));
    // The events of the block of the test's node.
    if (method === 'state_getStorage' && first === eventsKey && replies.has(String(second)))
      return real.request(method, [eventsKey]);
    return undefined;
  });
  const page = mountIn(context, SentList, { sent: props.sent });
  await props.sent.submit(hex, 'System.remark', 'Alice');
  const tell = async (of: unknown) => {
    subscribers.get(status)?.(of);
    await settle();
  };
  const end = () => page.querySelector('li .end')?.textContent?.replace(/\s+/g, ' ').trim();
  const word = () => page.querySelector('li .status')?.textContent?.trim();
  return { replies, tell, end, word, page };
};

it('the outcome in an earlier block does not replace the one in a later block', async () => {
  const { replies, tell, end, word } = await openSent();
  await tell({ inBlock: a });
  await tell({ retracted: a });
  await tell({ inBlock: b });
  replies.get(b)?.resolve();
  await vi.waitFor(() => expect(end()).toMatch(/^succeeded in #3$/));
  replies.get(a)?.resolve();
  for (let turn = 0; turn < 20; turn += 1) await settle();
  expect([word(), end()]).toEqual(['In block', 'succeeded in #3']);
});

it('a transaction that has left its block is in none, whether its outcome is known or arrives later', async () => {
  const { replies, tell, end, word, page } = await openSent();
  await tell({ inBlock: a });
  replies.get(a)?.resolve();
  await vi.waitFor(() => expect(end()).toMatch(/^succeeded in #2$/));
  await tell({ retracted: a });
  expect([word(), end(), page.querySelector('summary a')]).toEqual(['Retracted', '', null]);
  await tell({ inBlock: b });
  await tell('ready');
  replies.get(b)?.resolve();
  for (let turn = 0; turn < 20; turn += 1) await settle();
  expect([word(), end(), page.querySelector('summary a')]).toEqual(['Ready', '', null]);
});

it('a transaction that the pool already has is not refused: it is searched for', async () => {
  const { context } = openSend();
  const known = Object.assign(new Error('Transaction Already Imported'), { code: 1013, data: 'Any { .. }' });
  const subscribe: UiNode['subscribe'] = () => ({ opened: Promise.reject(known), close: () => undefined });
  const sent = new Sent(context.node.with({ subscribe }), context.metadata);
  const page = mountIn(context, SentList, { sent });
  await sent.submit(hex, 'System.remark', 'Alice');
  await settle();
  expect(page.querySelector('li .status')?.textContent?.trim()).toBe('Checking…');
  expect(page.textContent).not.toContain('Refused');
});
