import { flushSync } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import { expect, it, vi } from 'vitest';
import { Sealing } from '../../node/sealing.svelte.ts';
import { mountIn, openContext, press } from '../../testing/open-page.ts';
import SealControl from './SealControl.svelte';

it('a dismissed reason for no block stays away until it changes, and comes back after blocks were sealed', () => {
  const { context } = openContext(() => new Promise(() => undefined));
  const at = new SvelteMap<'stuck', string | null>([['stuck', 'no key']]);
  const page = mountIn(context, SealControl, {
    sealing: context.sealing,
    get stuck() {
      const message = at.get('stuck') ?? null;
      return message === null ? null : { code: 'NoClaimableKey', message };
    },
  } as never);
  const shown = () => page.querySelector('[role="alert"]')?.textContent ?? null;
  const set = (stuck: string | null) => {
    at.set('stuck', stuck);
    flushSync();
  };
  expect(shown()).toContain('no key');
  const dismiss = () => {
    page.querySelector<HTMLButtonElement>('[role="alert"] button.quiet:last-child')?.click();
    flushSync();
  };
  dismiss();
  expect(shown()).toBeNull();
  set('no slot');
  expect(shown()).toContain('no slot');
  dismiss();
  set(null);
  set('no slot');
  expect(shown()).toContain('no slot');
});

it('says that the node cannot use its database, with a reload as the way on, until it can again', () => {
  const { context } = openContext(() => new Promise(() => undefined));
  const message = 'The browser closed the database and does not open it again';
  const at = new SvelteMap([['lost', true]]);
  const page = mountIn(context, SealControl, {
    sealing: context.sealing,
    // Each seal fails for the same reason, which is not worth a second alert.
    stuck: { code: 'StorageBroken', message },
    get lost() {
      return at.get('lost') ? { code: 'StorageBroken', message } : null;
    },
  } as never);
  const alert = () => page.querySelector('[role="alert"]');
  const buttons = () =>
    [...(alert()?.querySelectorAll('button') ?? [])].map(({ textContent }) => textContent);
  expect(alert()?.textContent).toContain(`The node cannot use its database: ${message} (StorageBroken)`);
  expect(alert()?.textContent).toContain('Reload the page to continue');
  expect(buttons()).toContain('Reload');
  expect(buttons().join()).not.toContain('Dismiss');
  at.set('lost', false);
  flushSync();
  expect(alert()?.textContent).toContain('No block was sealed');
  expect(buttons()).not.toContain('Reload');
});

it('says that a seal mode changed the finality too, until that is dismissed or changed again', async () => {
  const { context } = openContext((method) =>
    method === 'rpc_methods' ? { methods: ['dev_setSealMode'] } : null,
  );
  let now = { seal: { kind: 'slots' }, finality: { kind: 'grandpa' }, edited: [] };
  const node = context.node.with({ status: async () => now as never });
  const sealing = new Sealing(node);
  const page = mountIn(context, SealControl, { sealing, stuck: null });
  const shown = () => page.querySelector('[role="status"]')?.textContent ?? '';
  await vi.waitFor(() => expect(sealing.choice).toBe('slots'));
  const choose = async (seal: string, finality: string) => {
    now = { seal: { kind: seal }, finality: { kind: finality }, edited: [] };
    await sealing.choose(seal);
    flushSync();
  };
  await choose('instant', 'grandpa');
  expect(shown()).toBe('');
  await choose('manual', 'instant');
  expect(shown()).toContain('Finality is instant now, the default for this seal mode.');
  expect(page.querySelector('[role="status"] a')?.textContent).toBe('Change finality');
  press(page, /Dismiss/);
  expect(shown()).toBe('');
  await choose('slots', 'grandpa');
  expect(shown()).toContain('Finality is grandpa now');
  sealing.applyStatus({ seal: { kind: 'slots' }, finality: { kind: 'manual' }, edited: [] });
  flushSync();
  expect(shown()).toBe('');
});

it('shows no seal mode and changes none before the node has said which it has', () => {
  const { context } = openContext(() => new Promise(() => undefined));
  const page = mountIn(context, SealControl, { sealing: context.sealing, stuck: null });
  const select = page.querySelector('select');
  expect(select?.selectedOptions[0]?.textContent).toBe('–');
  expect(select?.disabled).toBe(true);
  context.sealing.applyStatus({ seal: { kind: 'manual' }, finality: { kind: 'instant' }, edited: [] });
  flushSync();
  expect(select?.selectedOptions[0]?.textContent).toBe('manual');
  expect(select?.disabled).toBe(false);
  // Any client can set an interval that is not among the options.
  context.sealing.applyStatus({
    seal: { kind: 'interval', ms: 200 },
    finality: { kind: 'instant' },
    edited: [],
  });
  flushSync();
  expect([...(select?.options ?? [])].map(({ text }) => text)).toEqual([
    'every 2 s',
    'every 6 s',
    'instant',
    'by slots',
    'manual',
    'every 0.2 s',
  ]);
  expect(select?.selectedOptions[0]?.text).toBe('every 0.2 s');
});
