import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import { MethodNames } from '../../../node/client/method-names.svelte.ts';
import { mountIn, openContext } from '../../../testing/open-page.ts';
import EditedState from '../control/EditedState.svelte';
import BlockActions from './BlockActions.svelte';

it('what this page may not call is not offered, although the node lists it', async () => {
  const methods = ['dev_newBlock', 'dev_setHead'];
  const { context } = openContext(() => ({ methods }));
  let isAllowed = false;
  const offers = new MethodNames(context.node.with({ offers: () => isAllowed }));
  await offers.read();
  const chainActions = { offers, actions: { busy: null } };
  const names = () => {
    const page = mountIn(context, BlockActions, {
      chainActions,
      hash: '0x0b',
      number: 9,
      standing: 'best',
    } as never);
    return [...page.querySelectorAll('button')].map(({ textContent }) => textContent.trim());
  };
  expect(names()).toEqual([]);
  isAllowed = true;
  expect(names()).toEqual(['Build on this', 'Roll back to here…']);
});

it('a fork that a rollback left behind can be switched to, and neither built on nor finalized', async () => {
  const kept = '0x0a';
  const { context } = openContext((method) => (method === 'archive_v1_hashByHeight' ? [kept] : null));
  const chainActions = { offers: { has: () => true, fault: null }, actions: { busy: null } };
  const props = $state({ chainActions, hash: '0x0b', number: 9, standing: 'fork' });
  const page = mountIn(context, BlockActions, props as never);
  const names = () => {
    flushSync();
    return [...page.querySelectorAll('button')].map(({ textContent }) => textContent.trim());
  };
  await vi.waitFor(() => expect(names()).toEqual(['Switch to this…']));
  expect(page.textContent).toContain('A rollback left this fork behind.');
  props.hash = kept;
  await vi.waitFor(() => expect(names()).toEqual(['Build on this', 'Finalize this…', 'Switch to this…']));
});

it('a block of another node, and those that a fork has from its live chain, can be forked', async () => {
  const { context } = openContext(() => null);
  const chainActions = { offers: { has: () => false, fault: null }, actions: { busy: null } };
  const open = (of: typeof context, number: number) => {
    const props = { chainActions, hash: '0x0b', number, standing: 'final' };
    return mountIn(of, BlockActions, props as never);
  };
  const hasFork = async (of: typeof context, number: number) => {
    const page = open(of, number);
    await vi.dynamicImportSettled();
    flushSync();
    return page.textContent.includes('Fork here');
  };
  const remote = { url: 'ws://a/', software: 'a node' };
  const elsewhere = (methods: readonly string[]) => ({
    ...context,
    node: context.node.with({ remote, offers: (method) => methods.includes(method ?? '') }),
  });
  await vi.waitFor(async () => expect(await hasFork(elsewhere(['state_getReadProof']), 9)).toBe(true));
  expect(await hasFork(elsewhere([]), 9), 'it proves no state').toBe(false);
  const origin = { kind: 'fork', endpoints: ['ws://a/'], block: '7' };
  const base = { hash: '0x07', number: 7 };
  const fork = {
    ...context,
    session: { entry: { id: 'one', name: 'One', origin } } as never,
    node: context.node.with({ base: () => base }),
  };
  await vi.waitFor(async () => expect(await hasFork(fork, 7)).toBe(true));
  expect(await hasFork(fork, 8), 'its own block').toBe(false);
  expect(await hasFork(context, 0), 'no fork').toBe(false);
});

it('a fork is rolled back to its base at most, and an edit of the base is undone by a reset', async () => {
  const { context } = openContext(() => null);
  const fork = { ...context, node: context.node.with({ base: () => ({ hash: '0x07', number: 7 }) }) };
  const chainActions = { offers: { has: () => true, fault: null }, actions: { busy: null } };
  const offered = (number: number) => {
    const props = { chainActions, hash: `0x0${number}`, number, standing: 'final' };
    const page = mountIn(fork, BlockActions, props as never);
    return page.textContent.includes('Roll back to here…');
  };
  expect([6, 7, 8].map(offered)).toEqual([false, true, true]);
  const undo = (number: number) => {
    const block = { number, hash: `0x0${number}`, header: { parentHash: `0x0${number - 1}` } };
    return mountIn(fork, EditedState, { chainActions, details: { block, meta: null } } as never).textContent;
  };
  expect(undo(7)).toContain('reset the chain in Control');
  expect(undo(7)).not.toContain('Roll back');
  expect(undo(8)).toContain('Roll back to #7…');
});
