import { flushSync } from 'svelte';
import { expect, it, onTestFinished, vi } from 'vitest';
import '../../tokens.css';
import '../../base.css';
import '../../panels.css';
import { JsonRpcError } from '../../../src/protocol/json-rpc/json-rpc-error.ts';
import SealControl from '../../app/shell/SealControl.svelte';
import { Actions } from '../../node/client/action.svelte.ts';
import ActionLine from '../../node/parts/ActionLine.svelte';
import { Sealing } from '../../node/sealing.svelte.ts';
import { mountIn, openContext, press, settle, widen } from '../../testing/open-page.ts';
import Alert from './Alert.svelte';

const frames = Array.from(
  { length: 30 },
  (_, index) => `${index}: 0x1a${index} - <unknown>!rust_begin_unwind`,
);
const backtrace = `Execution aborted due to trap: wasm trap: wasm \`unreachable\` instruction executed\nWASM backtrace:\n${frames.join('\n')}`;
const refuse = () => {
  throw new JsonRpcError(11000, backtrace);
};

/** Checks that the backtrace is behind a button, opens above the page and can be copied. */
const expectFolded = async (page: HTMLElement, sentence: string) => {
  expect(page.innerText).toContain(sentence);
  expect(page.innerText).not.toContain('rust_begin_unwind');
  const height = page.offsetHeight;
  press(page, 'Details');
  const details = page.querySelector<HTMLElement>('[popover]');
  await vi.waitFor(() => expect(details?.matches(':popover-open')).toBe(true));
  expect(page.offsetHeight, 'nothing moves').toBe(height);
  expect(details?.innerText).toContain('rust_begin_unwind');
  await vi.waitFor(() => expect(details?.contains(document.activeElement)).toBe(true));
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  onTestFinished(() => copied.mockRestore());
  details?.querySelector<HTMLButtonElement>('[title="Copy the details"]')?.click();
  await vi.waitFor(() => expect(copied.mock.calls[0]?.[0]).toContain('rust_begin_unwind'));
  details?.hidePopover();
};

it.each([1440, 390])(
  'a trap under the top bar is one sentence, and takes two lines at most at %i px',
  async (width) => {
    const { context } = openContext(refuse);
    const sealing = new Sealing(context.node);
    const page = mountIn(context, SealControl, { sealing, stuck: null });
    widen(page, width);
    await sealing.seal();
    flushSync();
    await expectFolded(page, 'The runtime trapped while sealing a block.');
    expect(page.querySelector<HTMLElement>('.clamp')?.offsetHeight).toBeLessThanOrEqual(2 * 20);
  },
);

it('so is one that the node reports of its own sealing', async () => {
  const { context } = openContext(() => null);
  const stuck = { code: 'RuntimeTrap', message: backtrace };
  const page = mountIn(context, SealControl, { sealing: context.sealing, stuck } as never);
  await expectFolded(page, 'The runtime trapped while sealing a block.');
});

it('so is that of an action, and that of an alert', async () => {
  const { context } = openContext(refuse);
  const actions = new Actions(context.node);
  const line = mountIn(context, ActionLine, { actions });
  await actions.run('Building 2 blocks', 'dev_newBlock', [{ count: 2 }]);
  await settle();
  await expectFolded(line, 'Building 2 blocks failed. The runtime trapped.');
  const alert = mountIn(context, Alert, { title: 'It failed', fault: new JsonRpcError(1, backtrace) });
  await expectFolded(alert, 'The runtime trapped.');
});

it('an error of a few lines is shown whole, one of many is folded', () => {
  const { context } = openContext(() => null);
  const short = mountIn(context, Alert, { title: 'It failed', fault: new Error('The state is gone') });
  expect(short.querySelector('pre')?.textContent).toBe('The state is gone');
  const long = mountIn(context, Alert, { title: 'It failed', raw: 'a line\n'.repeat(40) });
  expect(long.offsetHeight).toBeLessThan(200);
});
