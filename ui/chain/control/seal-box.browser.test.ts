import { expect, it, vi } from 'vitest';
import { mountIn, openContext } from '../../testing/open-page.ts';
import SealBox from './SealBox.svelte';

const authority = (isOwn: boolean) => ({ id: '0x01', weight: '1', isOwn });
const votersOf = (...own: readonly boolean[]) => ({
  thresholdWeight: String(own.length),
  authorities: own.map(authority),
});

const open = (voters: unknown, finality = 'instant') => {
  const setFinality = vi.fn(async () => null);
  const { context } = openContext(() => new Promise(() => undefined));
  const chainActions = { offers: new Set(['dev_setFinality']), actions: { busy: null }, setFinality };
  const control = {
    now: { finality: { kind: finality }, voters },
    read: async () => undefined,
  };
  const page = mountIn(context, SealBox, { chainActions, control } as never);
  const button = [...page.querySelectorAll('fieldset button')].find(
    ({ textContent }) => textContent.trim() === 'grandpa',
  ) as HTMLButtonElement;
  return { page, button, setFinality };
};

it.each([
  ['a chain without GRANDPA', null, 'This chain has no GRANDPA.'],
  ['a keystore without the keys', votersOf(false, false), 'The keystore has no key of a GRANDPA authority.'],
])('grandpa finality is disabled for %s, with the reason', (_, voters, why) => {
  const { page, button, setFinality } = open(voters);
  button.click();
  expect([button.disabled, button.title]).toEqual([true, why]);
  expect(page.textContent).toContain(why);
  expect(setFinality).not.toHaveBeenCalled();
});

it.each([
  ['with the keys', votersOf(true)],
  ['with some of the keys', votersOf(true, false)],
  ['if the voters are unknown', undefined],
])('grandpa finality can be chosen %s', (_, voters) => {
  const { page, button, setFinality } = open(voters);
  expect(page.textContent).not.toContain('unavailable');
  button.click();
  expect(setFinality.mock.calls).toEqual([['grandpa']]);
});

it('the mode is explained, and whose votes are missing', () => {
  const words = 'Blocks are finalized by the votes of the GRANDPA authorities.';
  const alone = open(votersOf(true), 'grandpa');
  expect(alone.button.getAttribute('aria-pressed')).toBe('true');
  expect(alone.page.textContent).toContain(words);
  expect(alone.page.textContent).not.toContain('other voters');
  expect(
    [...alone.page.querySelectorAll('p')].filter(({ textContent }) => textContent.trim() === ''),
  ).toEqual([]);
  const one = open(votersOf(true, false), 'grandpa');
  expect(one.page.textContent).toContain('This node has 1 of 2 needed votes');
});

it('no mode is explained before it is known', () => {
  const { context } = openContext(() => new Promise(() => undefined));
  const chainActions = { offers: new Set(), actions: { busy: null } };
  const shown = (finality: unknown) =>
    mountIn(context, SealBox, { chainActions, control: { now: { finality } } } as never).textContent;
  expect(shown(null)).not.toContain('Blocks');
  expect(shown({ kind: 'instant' })).toContain('Blocks are finalized immediately.');
});
