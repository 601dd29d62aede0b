import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import '../../tokens.css';
import '../../base.css';
import '../../panels.css';
import { openLink } from '../../page/route.svelte.ts';
import { mountIn, openContext, press, typeIn } from '../../testing/open-page.ts';
import { createChainActions } from '../chain-actions.svelte.ts';
import BlockActions from './BlockActions.svelte';

const hashOf = (number: number) => `0x${number.toString(16).padStart(64, '0')}`;

const open = () => {
  const built: unknown[] = [];
  let next = 100;
  const { context } = openContext((method, [options]) => {
    if (method === 'rpc_methods') return { methods: ['dev_newBlock'] };
    if (method !== 'dev_newBlock') return null;
    built.push(options);
    next += 1;
    return hashOf(next);
  });
  openLink(`#/chain/${hashOf(3)}`);
  const offers = new Set(['dev_newBlock']) as never;
  const chainActions = createChainActions(context.node, context.chain, {} as never, offers, context.sealing);
  const props = $state({ chainActions, hash: hashOf(3), number: 3, standing: 'best' });
  const page = mountIn(context, BlockActions, props as never);
  /** What the panel does after a navigation: it shows the block of the address. */
  const follow = async () => {
    await vi.waitFor(() => expect(chainActions.actions.busy).toBeNull());
    await vi.waitFor(() => expect(context.route.place.parts[0]).not.toBe(props.hash));
    props.hash = String(context.route.place.parts[0]);
    props.number += 1;
    flushSync();
  };
  return { page, built, follow, context };
};

it('pressed three times, it builds a branch of three: the new block is opened each time', async () => {
  const { page, built, follow } = open();
  for (let times = 0; times < 3; times += 1) {
    press(page, 'Build on this');
    await follow();
  }
  expect(built).toEqual([3, 101, 102].map((number) => ({ parent: hashOf(number), count: 1 })));
});

it('builds a branch of as many blocks as its field says, and opens the last', async () => {
  const { page, built, follow, context } = open();
  typeIn(page.querySelector('[aria-label="How many blocks"]'), '23');
  press(page, 'Build on this');
  await follow();
  expect(built).toEqual([
    { parent: hashOf(3), count: 10 },
    { parent: hashOf(101), count: 10 },
    { parent: hashOf(102), count: 3 },
  ]);
  expect(context.route.place.parts).toEqual([hashOf(103)]);
});

it.each(['0', '-3', '1000000000', ''])(
  'for “%s” blocks it says the range, beside the field and of the button',
  (count) => {
    const { page, built } = open();
    typeIn(page.querySelector('[aria-label="How many blocks"]'), count);
    const range = 'Enter a whole number from 1 to 10\u202f000.';
    expect(page.querySelector('[role="status"]')?.textContent).toBe(range);
    const button = [...page.querySelectorAll('button')].find(({ textContent }) =>
      /Build on/.test(textContent),
    );
    expect([button?.disabled, button?.title]).toEqual([true, range]);
    expect(document.getElementById(button?.getAttribute('aria-describedby') ?? '')?.textContent).toBe(range);
    page.querySelector('form')?.requestSubmit();
    expect(built).toEqual([]);
  },
);
