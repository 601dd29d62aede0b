import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { NodeError } from '../../../src/protocol/errors.ts';
import { JsonRpcError } from '../../../src/protocol/json-rpc/json-rpc-error.ts';
import { mountIn, openContext, press } from '../../testing/open-page.ts';
import { Actions } from '../client/action.svelte.ts';
import ActionLine from './ActionLine.svelte';

it('the line of the last call is dismissed like that of a fault', async () => {
  const { context } = openContext((method) => {
    if (method === 'dev_reset') throw new Error('unsafe');
    return 1;
  });
  const actions = new Actions(context.node);
  const page = mountIn(context, ActionLine, { actions });
  for (const [method, text] of [
    ['dev_setHead', 'dev_setHead ["0x01"] → 1'],
    ['dev_reset', 'Moving failed.  unsafe'],
  ] as const) {
    await actions.run('Moving', method, ['0x01']);
    flushSync();
    expect(page.querySelector('p')?.textContent.trim()).toBe(text);
    press(page, /Dismiss/);
    expect(page.querySelector('p')).toBeNull();
  }
});

it('the line of a refused call says what failed, why and what to do, with the refusal below', async () => {
  const { context } = openContext(() => {
    throw new JsonRpcError(20000, 'cannot finalize', 'NotFinalizable');
  });
  const actions = new Actions(context.node);
  const page = mountIn(context, ActionLine, { actions });
  await actions.run('Finalizing #5', 'engine_finalizeBlock', ['0x01']);
  flushSync();
  expect([...page.querySelectorAll('[role="alert"] > span')].map(({ textContent }) => textContent)).toEqual([
    'Finalizing #5 failed. The block cannot be finalized.',
    '20000: cannot finalize\nNotFinalizable',
  ]);
});

it('a call that lost its node is not said to have failed: the outcome is unknown', async () => {
  const { context } = openContext(() => {
    throw new NodeError('Disconnected');
  });
  const actions = new Actions(context.node);
  const page = mountIn(context, ActionLine, { actions });
  await actions.run('Building 2 blocks', 'dev_newBlock', [{ count: 2 }]);
  flushSync();
  const text = page.querySelector('[role="alert"]')?.textContent;
  expect(text).toMatch(/^Building 2 blocks got no answer\. .* The outcome is unknown\./);
  expect(page.querySelector('.bad')).toBeNull();
});
