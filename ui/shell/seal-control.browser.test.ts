import { flushSync } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import { expect, it } from 'vitest';
import { mountIn, openContext } from '../testing/open-page.ts';
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

it('shows no seal mode and changes none before the node has said which it has', () => {
  const { context } = openContext(() => new Promise(() => undefined));
  const page = mountIn(context, SealControl, { sealing: context.sealing, stuck: null });
  const select = page.querySelector('select');
  expect(select?.selectedOptions[0]?.textContent).toBe('–');
  expect(select?.disabled).toBe(true);
  context.sealing.hear({ seal: { kind: 'manual' }, finality: { kind: 'instant' } });
  flushSync();
  expect(select?.selectedOptions[0]?.textContent).toBe('manual');
  expect(select?.disabled).toBe(false);
});
