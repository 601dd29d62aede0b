import { expect, it, onTestFinished, vi } from 'vitest';
import { Dialogs } from '../../kit/page/dialogs.svelte.ts';
import { openLink } from '../../kit/page/route.svelte.ts';
import type { PageContext } from '../../node/page-context.ts';
import { openContext } from '../../testing/open-page.ts';
import { allCommands } from './commands.ts';

const hash = `0x${'07'.repeat(32)}`;
const commandsOf = (context: PageContext, session: unknown) => allCommands(context, session as never, []);

const openRemote = (): PageContext => {
  const { context } = openContext(() => null);
  const node = context.node.with({ remote: { url: 'ws://127.0.0.1:9944', software: 'test' } });
  return { ...context, node };
};
const forkHere = (context: PageContext) => commandsOf(context, null).find(({ id }) => id === 'fork-here');

it('a live chain is forked with the form for it', () => {
  const { context } = openContext(() => null);
  const session = { book: { entries: [] }, entry: null };
  const command = commandsOf(context, session).find(({ label }) => label === 'Fork a live chain…');
  if (typeof command?.run !== 'function') throw new Error('no action');
  command.run();
  expect(context.keep('dialogs', () => new Dialogs()).chains).toBe('fork');
  // The node is the page's own.
  expect(forkHere(context)).toBeUndefined();
});

it('the chain of another node is forked at the block that is shown, else at the best one', () => {
  const context = openRemote();
  vi.spyOn(context.chain, 'best', 'get').mockReturnValue({
    hash: `0x${'0c'.repeat(32)}`,
    number: 12,
  } as never);
  vi.spyOn(context.pick, 'picked', 'get').mockReturnValue({
    kind: 'block',
    block: { hash, number: 7 },
  } as never);
  onTestFinished(() => void vi.restoreAllMocks());
  openLink('#/chain/7');
  expect(forkHere(context)?.label).toBe('Fork here: continue from block #7 in this browser');
  openLink('#/storage');
  expect(forkHere(context)?.label).toBe('Fork here: continue from block #12 in this browser');
});
