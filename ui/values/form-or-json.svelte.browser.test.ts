import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import '../tokens.css';
import '../base.css';
import '../panels.css';
import type { Json } from '../../src/scale/types.ts';
import { devAccounts } from '../node/accounts.ts';
import { mountIn, press, typeIn } from '../testing/open-page.ts';
import { useRealNode } from '../testing/real-node.ts';
import { argsOf, following, openUnit } from '../testing/value-props.svelte.ts';
import FormOrJson from './FormOrJson.svelte';

const real = useRealNode();
const bob = devAccounts[1]?.id ?? '';

it('reads whole numbers beyond 2^53 in JSON exactly, and shows them in the form', () => {
  const { changes, props } = following(
    { remark: '0x' },
    {
      meta: real.meta,
      entry: argsOf(real.meta, 'Balances', 'transfer_keep_alive'),
      label: 'Arguments',
      heading: '',
      fault: null,
    },
  );
  const page = mountIn(openUnit(), FormOrJson, props);
  press(page, 'JSON');
  const largest = 2n ** 128n - 1n;
  typeIn(page.querySelector('textarea'), `{"dest": {"Id": "${bob}"}, "value": ${largest}}`);
  expect(changes.at(-1)).toEqual({ dest: { Id: bob }, value: largest });
  press(page, 'Form');
  expect(page.querySelector<HTMLInputElement>('[aria-label="value"]')?.value).toBe(`${largest}`);
  press(page, 'JSON');
  expect(page.querySelector('textarea')?.value).toContain(`"value": ${largest}`);
  const asked = changes.length;
  for (const inexact of ['9007199254740993.0', '1e400', '0.99999999999999999999']) {
    typeIn(page.querySelector('textarea'), `{"dest": {"Id": "${bob}"}, "value": ${inexact}}`);
    expect(page.querySelector('[role="status"]')?.textContent).toContain(
      `${inexact} would lose digits when sent.`,
    );
  }
  expect(changes).toHaveLength(asked);
});

it('shows what nested fields need as a hint until something was entered, then as an error', () => {
  const { props } = following(
    { remark: '0x0' },
    {
      meta: real.meta,
      entry: argsOf(real.meta, 'System', 'remark'),
      label: 'Arguments',
      heading: '',
      fault: 'remark: …',
    },
  );
  const shown = $state({ untouched: true });
  const both = Object.defineProperty(props, 'untouched', { get: () => shown.untouched });
  const page = mountIn(openUnit(), FormOrJson, both);
  page.className = 'tabnode-devtools';
  const hint = page.querySelector('.bad');
  const color = () => hint && getComputedStyle(hint).color;
  const isMuted = color();
  shown.untouched = false;
  flushSync();
  expect(hint?.textContent).toContain('hexadecimal digits');
  expect(color()).not.toBe(isMuted);
  const transfer = following(
    { dest: { Id: '' }, value: '0' },
    {
      meta: real.meta,
      entry: argsOf(real.meta, 'Balances', 'transfer_keep_alive'),
      label: 'Arguments',
      heading: '',
      fault: 'dest.Id: enter an SS58 address',
    },
  );
  const second = mountIn(openUnit(), FormOrJson, transfer.props);
  second.className = 'tabnode-devtools';
  // An address says in its place what it takes, and what is wrong with it.
  const shownFaults = () => [...second.querySelectorAll('p.bad')].filter((one) => one.checkVisibility());
  expect(shownFaults()).toEqual([]);
  typeIn(second.querySelector('[aria-label="dest Id"]'), 'nobody');
  expect(shownFaults().map(({ textContent }) => textContent)).toEqual([
    'Enter an SS58 address or a 0x public key.',
  ]);
});

it('keeps the last value and the text of incomplete JSON until it is fixed or discarded', () => {
  const broken: string[] = [];
  const entry = argsOf(real.meta, 'System', 'remark');
  const { changes, props } = following(
    { remark: '0x01' },
    {
      meta: real.meta,
      entry,
      label: 'Arguments',
      heading: '',
      fault: null,
      onbroken: (text: string) => broken.push(text),
    },
  );
  const page = mountIn(openUnit(), FormOrJson, props);
  press(page, 'JSON');
  const json = page.querySelector('textarea');
  typeIn(json, '{ "remark": "0x02"');
  expect([broken, changes]).toEqual([['{ "remark": "0x02"'], []]);
  expect([json?.value, json?.getAttribute('aria-invalid')]).toEqual(['{ "remark": "0x02"', 'true']);
  typeIn(json, '{ "remark": "0x02" }');
  expect(changes).toEqual([{ remark: '0x02' }]);
  const field = () => page.querySelector<HTMLInputElement>('[aria-label="remark"]');
  typeIn(json, '{ "remark": x');
  const told = changes.length;
  press(page, 'Form');
  expect([field(), changes.length]).toEqual([null, told]);
  expect(page.textContent).toMatch(
    /The JSON cannot be read, so the form is unavailable.*Unexpected token 'x'/s,
  );
  press(page, 'Edit the JSON');
  expect(page.querySelector('textarea')?.value).toBe('{ "remark": x');
  press(page, 'Form');
  press(page, 'Discard the text');
  expect(changes.slice(told)).toEqual([{ remark: '0x02' }]);
  expect(field()?.value).toBe('0x02');
});

it('keeps incomplete JSON across a runtime upgrade, but not when the value changes from outside', () => {
  let entry = $state.raw(argsOf(real.meta, 'System', 'remark'));
  let value = $state.raw<Json>({ remark: '0x01' });
  const props = {
    meta: real.meta,
    label: 'Arguments',
    heading: '',
    fault: 'The JSON is incomplete.',
    onchange: () => undefined,
    get entry() {
      return entry;
    },
    get value() {
      return value;
    },
  };
  const page = mountIn(openUnit(), FormOrJson, props);
  press(page, 'JSON');
  const json = () => page.querySelector('textarea')?.value;
  typeIn(page.querySelector('textarea'), '{ "remark": "0x02"');
  entry = { ...entry };
  flushSync();
  expect(json()).toBe('{ "remark": "0x02"');
  value = { remark: '0x03' };
  flushSync();
  expect(JSON.parse(json() ?? '')).toEqual(value);
});

it('keeps form input across a runtime upgrade, and resets it for another call', async () => {
  let entry = $state.raw(argsOf(real.meta, 'Balances', 'transfer_keep_alive'));
  let of = $state('Balances.transfer_keep_alive');
  const { props } = following(
    { dest: { Id: bob }, value: '0' },
    {
      meta: real.meta,
      label: 'Arguments',
      heading: '',
      fault: null,
    },
  );
  Object.defineProperties(props, { entry: { get: () => entry }, of: { get: () => of } });
  const page = mountIn(openUnit(), FormOrJson, props);
  const value = () => page.querySelector<HTMLInputElement>('[aria-label="value"]');
  await vi.waitFor(() => expect(page.textContent).toContain('= 0 UNIT'));
  const before = value();
  typeIn(before, '3 UNIT');
  entry = { ...argsOf(real.meta, 'Balances', 'transfer_keep_alive') };
  flushSync();
  expect(value()).toBe(before);
  expect(before?.value).toBe('3 UNIT');
  of = 'Balances.transfer_allow_death';
  flushSync();
  expect(value()).not.toBe(before);
});

it('JSON that is fixed stays as it was typed, although what was broken is told and comes back', () => {
  const { props } = following(
    { remark: '0x01' },
    {
      meta: real.meta,
      entry: argsOf(real.meta, 'System', 'remark'),
      label: 'Arguments',
      heading: '',
      fault: null,
    },
  );
  let broken = $state.raw<string | null>('{');
  Object.defineProperty(props, 'broken', { get: () => broken });
  Object.assign(props, { onbroken: (text: string) => (broken = text) });
  const page = mountIn(openUnit(), FormOrJson, props);
  expect(page.querySelector('textarea')?.value).toBe('{');
  typeIn(page.querySelector('textarea'), '{ "remark"');
  typeIn(page.querySelector('textarea'), '{ "remark":   "0x02" }');
  broken = null;
  flushSync();
  expect(page.querySelector('textarea')?.value).toBe('{ "remark":   "0x02" }');
});
