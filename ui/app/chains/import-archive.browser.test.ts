import { expect, it, vi } from 'vitest';
import { JsonRpcError } from '../../../src/protocol/json-rpc/json-rpc-error.ts';
import type { Session } from '../../node/session/session.svelte.ts';
import { mountIn, openContext, press } from '../../testing/open-page.ts';
import NewChain from './NewChain.svelte';

/** The dialog of an exported chain of 50 blocks, of which the node accepts those that `accept` lets through. */
const openImport = (
  accept: (asked: number) => Promise<unknown> = async () => undefined,
  /** The open chain has a part of an earlier import. */
  isPartial = false,
) => {
  let asked = 0;
  const calls: string[] = [];
  const { context } = openContext(async (method, params) => {
    if (method === 'chain_getHeader') return { number: '0x1b' };
    if (method === 'chain_getBlockHash') return '0xbe57';
    if (method === 'dev_finalise') calls.push(`finalize ${params[0]}`);
    if (method === 'dev_importChain') {
      if (params[1] === true) calls.push('more follow');
      await accept(++asked);
    }
    return { blocks: 25 };
  });
  Object.assign(context.node, {
    status: async () => ({ seal: { kind: 'manual' }, finality: { kind: 'instant' } }),
  });
  const entry = { id: 'copy', name: 'Copy', isPartial };
  const session = {
    node: context.node as typeof context.node | null,
    entry,
    book: {
      find: (id: string) => (id === entry.id ? entry : null),
      entries: [],
      freeName: (name: string) => (calls.length === 0 ? name : `${name} 2`),
      change: () => undefined,
    },
    create: async (name: string, _origin: unknown, _payload: unknown, modes: { seal: { kind: string } }) =>
      calls.push(`create ${name} ${modes.seal.kind}`),
    start: async (of: typeof entry) => {
      calls.push(`start ${of.name}`);
      session.entry = of;
    },
    remove: async ({ name }: { readonly name: string }) => calls.push(`remove ${name}`),
  };
  const origin = { kind: 'preset', preset: 'development' } as const;
  const lines = Array.from({ length: 50 }, (_, index) => `{"block":${index}}`);
  const modes = { seal: { kind: 'slots' }, finality: null, clock: 'chain', states: 'recent' } as const;
  const archive = { name: 'Copy', origin, payload: null, modes, lines };
  const file = { kind: 'archive', name: 'Copy', archive } as const;
  const onclose = vi.fn();
  const page = mountIn(context, NewChain, { session: session as unknown as Session, file, onclose });
  press(page, isPartial ? 'Continue the import into Copy' : 'Create and start');
  return { page, calls, onclose, session };
};
const buttons = (page: Element) =>
  [...page.querySelectorAll<HTMLButtonElement>('button:enabled')].map((one) => one.textContent.trim());

it('an import shows how far it is, keeps its dialog open, and can be stopped', async () => {
  const held = Promise.withResolvers<void>();
  const { page, calls, onclose } = openImport(async (asked) => asked === 1 && held.promise);
  await vi.waitFor(() => expect(page.textContent).toMatch(/Importing\s+0\s+of 50 blocks/));
  expect(buttons(page)).toEqual(['Stop']);
  const dialog = page.querySelector('dialog');
  dialog?.requestClose();
  expect(dialog?.open).toBe(true);
  // Its own name is taken by itself now.
  expect(page.textContent).not.toContain('Copy 2');
  press(page, 'Stop');
  held.resolve();
  // The request on its way is finished.
  await vi.waitFor(() => expect(page.textContent).toContain('Stopped: 27 of 50 blocks imported.'));
  expect(onclose).not.toHaveBeenCalled();
  expect(calls).toEqual(['create Copy slots', 'more follow']);
});

it('a chain of which only a part was imported says so, and can be completed, kept or deleted', async () => {
  const { page, calls, onclose } = openImport(async (asked) => {
    if (asked === 2) throw new Error('Line 3: no block');
  });
  await vi.waitFor(() =>
    expect(page.querySelector('[role="alert"]')?.textContent).toBe(
      'Line 29: no block (27 of 50 blocks imported)',
    ),
  );
  expect(page.textContent).toContain('“Copy” contains only part of the file.');
  expect(buttons(page).slice(1)).toEqual(['Continue import', 'Keep this part', 'Delete this chain']);
  press(page, 'Continue import');
  await vi.waitFor(() => expect(onclose).toHaveBeenCalledTimes(1));
  press(page, 'Keep this part');
  expect(onclose).toHaveBeenCalledTimes(2);
  expect(calls).toEqual(['create Copy slots', 'more follow', 'more follow', 'finalize 0xbe57']);
  press(page, 'Delete this chain');
  await vi.waitFor(() => expect(onclose).toHaveBeenCalledTimes(3));
  expect(calls.at(-1)).toBe('remove Copy');
});

it('an import acts on its own chain, not on the one that Back has opened meanwhile', async () => {
  const { page, calls, onclose, session } = openImport(async (asked) => {
    if (asked > 1) return;
    session.entry = { ...session.entry, id: 'other', name: 'Other' };
    throw new Error('The connection closed');
  });
  await vi.waitFor(() =>
    expect(page.querySelector('[role="alert"]')?.textContent).toContain('(0 of 50 blocks'),
  );
  press(page, 'Delete this chain');
  await vi.waitFor(() => expect(calls.at(-1)).toBe('remove Copy'));
  await vi.waitFor(() => expect(onclose).toHaveBeenCalledOnce());
  press(page, 'Continue import');
  await vi.waitFor(() => expect(calls.slice(-3)).toEqual(['start Copy', 'more follow', 'finalize 0xbe57']));
});

it('an import that a reload has ended continues into its chain', async () => {
  const { calls, onclose } = openImport(async () => undefined, true);
  await vi.waitFor(() => expect(onclose).toHaveBeenCalledTimes(1));
  expect(calls).toEqual(['more follow', 'finalize 0xbe57']);
});

it('an import that is continued says how far it came when its node is lost, and can be continued again', async () => {
  const { page, calls } = openImport(async (asked) => {
    if (asked === 2) throw new Error('The tab with the node has closed');
  }, true);
  await vi.waitFor(() =>
    expect(page.querySelector('[role="alert"]')?.textContent).toBe(
      'The tab with the node has closed (27 of 50 blocks imported)',
    ),
  );
  press(page, 'Continue import');
  await vi.waitFor(() => expect(calls.at(-1)).toBe('finalize 0xbe57'));
});

it('an import that blocks of the chain itself have ended says how to go on', async () => {
  const { page } = openImport(async () => {
    throw new JsonRpcError(1, 'The parent of block #28 is below the finalized block', 'UnknownParent');
  }, true);
  await vi.waitFor(() =>
    expect(page.querySelector('[role="alert"]')?.textContent).toBe(
      'The parent of block #28 is below the finalized block (27 of 50 blocks imported). Roll Copy back to the last block it shares with the file, or import into a new chain from the same spec.',
    ),
  );
});
