import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import '../../../tokens.css';
import '../../../base.css';
import { mountIn, openContext, press, settle, typeIn, widen } from '../../../testing/open-page.ts';
import { createChainActions } from '../chain-actions.svelte.ts';
import ControlPage from './ControlPage.svelte';
import SealBox from './SealBox.svelte';

const authority = (isOwn: boolean) => ({ id: '0x01', weight: '1', isOwn });
const votersOf = (...own: readonly boolean[]) => ({
  thresholdWeight: String(own.length),
  authorities: own.map(authority),
});

const open = (voters: unknown, finality = 'instant') => {
  const setFinality = vi.fn(async () => null);
  const { context } = openContext(() => new Promise(() => undefined));
  context.sealing.finality = { kind: finality } as never;
  const chainActions = {
    offers: new Set(['dev_setFinality']),
    building: () => null,
    actions: { busy: null },
    setFinality,
  };
  const control = {
    now: { voters },
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

it('the controls begin at one place, each in one line with its label, also in a window of 1024 px', () => {
  const { context } = openContext(() => new Promise(() => undefined));
  const chainActions = {
    offers: new Set(['dev_newBlock', 'dev_setFinality']),
    building: () => null,
    actions: { busy: null },
  };
  const props = { chainActions, slotMs: 6000, onclose: () => undefined };
  const page = mountIn(context, ControlPage, props as never);
  widen(page, 340);
  const labels = [...page.querySelectorAll('span.muted')].filter(({ textContent }) =>
    /^(blocks|finality)$/.test(textContent),
  );
  const places = labels.map((label) => [label, label.nextElementSibling ?? label]);
  const boxes = places.map((pair) => pair.map((one) => one.getBoundingClientRect()));
  expect(boxes.map(([label, own]) => (own?.top ?? 99) < (label?.bottom ?? 0))).toEqual([true, true]);
  expect(new Set(boxes.map(([, own]) => own?.left)).size).toBe(1);
});

it('a long build counts its blocks and can be stopped after the current call; what is copied is what was built', async () => {
  const waits: (() => void)[] = [];
  const { context, asked } = openContext((method) => {
    if (method === 'rpc_methods') return { methods: ['dev_newBlock'] };
    return method === 'dev_newBlock' ? new Promise((done) => waits.push(() => done('0x0d'))) : null;
  });
  const offers = new Set(['dev_newBlock']) as never;
  const chainActions = createChainActions(context.node, context.chain, {} as never, offers, context.sealing);
  const page = mountIn(context, SealBox, { chainActions, control: { now: {} } } as never);
  const sealTen = async () => {
    waits.pop()?.();
    await settle();
  };
  const build = (count: string) => {
    typeIn(page.querySelector('[aria-label="How many blocks"]'), count);
    press(page, /^Build on/);
  };
  build('5000');
  await sealTen();
  await sealTen();
  expect(page.querySelector('progress')?.value).toBe(20 / 5000);
  expect(page.innerText).toMatch(/Building 20 of 5\s000 blocks, about \d+ s left/);
  press(page, 'Stop');
  expect(chainActions.actions.busy).not.toBeNull();
  await sealTen();
  expect(chainActions.actions.busy).toBeNull();
  expect(chainActions.actions.last).toEqual({
    method: 'dev_newBlock',
    params: [{ count: 30 }],
    result: '"0x0d"',
  });
  expect(page.querySelector('progress')).toBeNull();
  // A few are built before one could press a button.
  build('12');
  await sealTen();
  expect(page.querySelector('progress')).toBeNull();
  await sealTen();
  expect(chainActions.actions.last?.params).toEqual([{ count: 12 }]);
  const counts = asked.flatMap(([method, params]) => (method === 'dev_newBlock' ? params : []));
  expect(counts).toEqual([10, 10, 10, 10, 2].map((count) => ({ count })));
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

it('nothing is claimed before the mode is known, and nothing moves once it is', () => {
  const { context } = openContext(() => new Promise(() => undefined));
  const offers = new Set(['dev_setFinality', 'dev_finalise', 'dev_newBlock']);
  const chainActions = { offers, building: () => null, actions: { busy: null } };
  const control = { now: {} };
  const chain = { best: { number: 12, hash: '0x0c' }, finalized: 10 };
  const page = mountIn({ ...context, chain } as never, SealBox, { chainActions, control } as never);
  // The panel of a window of 1440 px, of one of 1024 px, and a phone.
  const heights = () =>
    [338, 308, 358].map((width) => {
      widen(page, width);
      return page.offsetHeight;
    });
  const rows = () => page.innerText;
  const before = heights();
  expect(rows()).not.toContain('Blocks');
  const buttons = () =>
    [...page.querySelectorAll('button')].filter(
      (one) => one.closest('fieldset') !== null || /^Finalize/.test(one.textContent.trim()),
    );
  expect(buttons().map(({ disabled }) => disabled)).toEqual([true, true, true, true, true]);
  // What the bar of the page has heard is enough.
  context.sealing.applyStatus({ seal: { kind: 'manual' }, finality: { kind: 'manual' }, edited: [] });
  flushSync();
  expect(heights()).toEqual(before);
  expect(rows()).toContain('Blocks stay unfinalized');
  expect(buttons().map(({ disabled }) => disabled)).toEqual([false, false, false, false, false]);
  widen(page, 308);
  const group = page.querySelector('fieldset');
  const [label, choices] = [group?.previousElementSibling, group].map((one) => one?.getBoundingClientRect());
  expect(choices?.top, 'the choices are beside their label').toBeLessThan(label?.bottom ?? 0);
});
