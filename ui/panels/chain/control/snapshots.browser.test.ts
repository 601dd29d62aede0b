import { expect, it, vi } from 'vitest';
import '../../../tokens.css';
import '../../../base.css';
import '../../../panels.css';
import { mountIn, openContext, press, settle, typeIn, widen } from '../../../testing/open-page.ts';
import { actionsOf } from '../chain-actions.fixture.ts';
import Snapshots from './Snapshots.svelte';

it('a snapshot without a name is numbered, and never replaces one or claims a block that the node has left', async () => {
  const { context } = openContext(() => new Promise(() => undefined));
  const keepSnapshot = vi.fn(async () => null);
  const open = (snapshots: unknown) => {
    const control = { now: { fault: null, snapshots }, read: async () => undefined };
    return mountIn(context, Snapshots, {
      chainActions: { actions: { busy: null }, keepSnapshot },
      control,
    } as never);
  };
  const saved = { hash: `0x${'06'.repeat(32)}`, number: 6, finalizedNumber: 6, takenMs: 0 };
  const page = open([
    { ...saved, name: 'Snapshot 1' },
    { ...saved, name: 'Snapshot 3' },
  ]);
  expect(page.querySelector('input')?.placeholder).toBe('Snapshot 2');
  press(page, 'Save snapshot');
  await vi.waitFor(() => expect(keepSnapshot.mock.calls).toEqual([['Snapshot 2']]));
  expect(open(null).querySelector<HTMLButtonElement>('[type="submit"]')?.disabled).toBe(true);
});

it('a name that is too long for a snapshot is not cut: the page says the limit', () => {
  const { context } = openContext(() => new Promise(() => undefined));
  const control = { now: { fault: null, snapshots: [] }, read: async () => undefined };
  const page = mountIn(context, Snapshots, {
    chainActions: { actions: { busy: null }, keepSnapshot: vi.fn() },
    control,
  } as never);
  const save = page.querySelector<HTMLButtonElement>('[type="submit"]');
  typeIn(page.querySelector('input'), 'n'.repeat(100));
  expect(save?.disabled).toBe(false);
  typeIn(page.querySelector('input'), 'n'.repeat(101));
  expect(page.querySelector('input')?.value).toHaveLength(101);
  expect([save?.disabled, page.querySelector('[role="status"]')?.textContent]).toEqual([
    true,
    'A snapshot’s name has at most 100 characters, this one has 101.',
  ]);
});

it('deleting a snapshot is asked in the dialog of all such questions, and the list is read again', async () => {
  const { context, asked } = openContext(() => null);
  const chainActions = actionsOf(context);
  const read = vi.fn(async () => undefined);
  const snapshot = { name: 'six', hash: `0x${'06'.repeat(32)}`, number: 6, finalizedNumber: 6, takenMs: 0 };
  const control = { now: { fault: null, snapshots: [snapshot] }, read };
  const page = mountIn(context, Snapshots, { chainActions, control } as never);
  press(page, 'Delete…');
  const question = chainActions.asked();
  expect(question?.title).toBe('Delete “six” at #6?');
  expect(read).not.toHaveBeenCalled();
  question?.act();
  await settle();
  expect(asked).toContainEqual(['dev_deleteSnapshot', 'six']);
  expect(read).toHaveBeenCalledOnce();
});

it('a snapshot takes two lines, and its buttons one, in a column of 380 px', () => {
  const { context } = openContext(() => null);
  const of = (name: string) => ({
    name,
    hash: `0x${'06'.repeat(32)}`,
    number: 6,
    finalizedNumber: 6,
    takenMs: 0,
  });
  const snapshots = [of('before the upgrade')];
  const control = { now: { fault: null, snapshots }, read: async () => undefined };
  const page = mountIn(context, Snapshots, { chainActions: { actions: { busy: null } }, control } as never);
  widen(page, 380);
  const row = page.querySelector('li') as HTMLElement;
  expect(new Set([...row.querySelectorAll('button')].map(({ offsetTop }) => offsetTop)).size).toBe(1);
  expect(row.offsetHeight).toBeLessThan(60);
});
