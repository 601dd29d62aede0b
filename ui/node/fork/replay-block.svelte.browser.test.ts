import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import type { ReplayReport } from '../../../src/protocol/replay.ts';
import { mountIn, openContext, press } from '../../testing/open-page.ts';
import { liveBlock } from './live-block.ts';
import ReplayBlock from './ReplayBlock.svelte';

const hash = `0x${'0b'.repeat(32)}`;
const phase = { ms: 0.4, logs: [], dispatchError: null, weight: null, events: [], old: {}, new: {} };
const report: ReplayReport = {
  number: 5,
  hash,
  parentHash: hash,
  specName: 'tabnode',
  specVersion: 101,
  extrinsics: 1,
  stateRoot: hash,
  computedRoot: hash,
  isSame: true,
  difference: null,
  requests: 0,
  bytes: 0,
  executionMs: 2.5,
  phases: [
    { ...phase, phase: 'initialization' },
    { ...phase, phase: 'extrinsic 0' },
  ],
};

const open = (answer: Parameters<typeof openContext>[0]) => {
  const { context, asked } = openContext(answer);
  const props = $state({ hash, isLive: true });
  const page = mountIn(context, ReplayBlock, props);
  return { page, props, asked, context };
};

it('a block with the root of its header is as on the live chain, and is executed once', async () => {
  const { page, props, asked, context } = open(() => report);
  press(page, 'Execute it again here');
  await vi.waitFor(() => expect(page.textContent).toContain('Same root as the live chain'));
  expect(page.textContent).toMatch(/2.5 ms, 2 phases/);
  expect([...page.querySelectorAll('tbody tr')].map((row) => row.firstElementChild?.textContent)).toEqual([
    'initialization',
    'extrinsic 0',
  ]);
  props.hash = `0x${'0c'.repeat(32)}`;
  flushSync();
  expect(page.textContent).not.toContain('Same root');
  expect(mountIn(context, ReplayBlock, { hash, isLive: false }).textContent).toContain('as in its header');
  expect(asked).toEqual([['dev_runBlock', hash]]);
});

it('names the first phase that differs', async () => {
  const difference = { phase: 'extrinsic 0', why: 'It wrote another value.', here: {}, there: {} };
  const { page } = open(() => ({ ...report, isSame: false, difference }));
  press(page, 'Execute it again here');
  await vi.waitFor(() => expect(page.querySelector('[role="alert"]')).not.toBeNull());
  expect(page.textContent).toContain('Not the same root as the live chain');
  expect(page.textContent).toContain('The first phase that differs is extrinsic 0. It wrote another value.');
});

it('says why a block cannot be executed, and tries again', async () => {
  let isGone = true;
  const { page } = open(() => (isGone ? Promise.reject(new Error('It is gone.')) : report));
  press(page, 'Execute it again here');
  await vi.waitFor(() => expect(page.textContent).toContain('It is gone.'));
  isGone = false;
  press(page, 'Try again');
  await vi.waitFor(() => expect(page.textContent).toContain('Same root as the live chain'));
});

it('is offered for blocks that were built elsewhere, by a node of ours', () => {
  const { context } = openContext(() => null);
  const remote = { url: 'ws://a/', software: 'a node' };
  const base = { hash, number: 7 };
  const of = (change: object, number: number) => {
    const { isLive, canRun } = liveBlock({ ...context, node: context.node.with(change) }, number);
    return [isLive, canRun];
  };
  const isFork = { base: () => base };
  expect(of({}, 5), 'own chain').toEqual([false, false]);
  expect(of(isFork, 7), 'base of a fork').toEqual([true, true]);
  expect(of(isFork, 8), 'own block of a fork').toEqual([false, false]);
  expect(of(isFork, 0), 'genesis').toEqual([true, false]);
  expect(of({ remote }, 5), 'another node').toEqual([true, true]);
  expect(of({ remote, offers: () => false }, 5), 'one of the SDK').toEqual([true, false]);
  expect(of({ remote, ...isFork }, 8), 'own block of a fork elsewhere').toEqual([false, true]);
});
