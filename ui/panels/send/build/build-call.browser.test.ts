import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { addressJson, encodeCall } from '../../../../src/scale/extrinsic.ts';
import { fromHex, toHex } from '../../../../src/scale/hex.ts';
import type { Json } from '../../../../src/scale/types.ts';
import { openedEditor, replaceIn } from '../../../kit/json/code.fixture.ts';
import { openLink } from '../../../kit/page/route.svelte.ts';
import { devAccounts } from '../../../node/accounts.ts';
import { loadFacts, signCall } from '../../../node/tx/signing.ts';
import '../../../tokens.css';
import '../../../base.css';
import '../../../panels.css';
import { expectColumns, mountIn, press, settle, typeIn, widen } from '../../../testing/open-page.ts';
import { field, sendButton, useSend } from '../../../testing/open-send.ts';
import BuildCall from './BuildCall.svelte';

const pickIn = (select: Element | null, value: string): void => {
  if (!(select instanceof HTMLSelectElement)) throw new Error('no dropdown');
  select.value = value;
  select.dispatchEvent(new Event('change', { bubbles: true }));
  flushSync();
};

const { openSend, real } = useSend();
const [alice, bob] = devAccounts.map(({ id }) => id) as [string, string];

const callOf = (pallet: string, name: string, args: Json): string =>
  toHex(encodeCall(real.meta, pallet, name, args));
const remark = (text: string): string => callOf('System', 'remark', { remark: text });

const openBuild = (call: string, change?: Parameters<typeof openSend>[0]) => {
  const opened = openSend(change);
  openLink(`#/send/System/remark?call=${call}`);
  const page = mountIn(opened.context, BuildCall, opened.props);
  return { ...opened, page };
};

it('names arguments that cannot be encoded, and blocks sending by button and by key', async () => {
  const { page, props } = openBuild(callOf('System', 'remark', { remark: '0x01' }));
  await vi.waitFor(() => expect(sendButton(page)?.disabled).toBe(false));
  typeIn(field(page, 'remark'), '0x0');
  expect(sendButton(page)?.disabled).toBe(true);
  expect(page.textContent).toContain('Complete the arguments to see the encoded call.');
  press(page, 'JSON');
  const json = await openedEditor(page);
  const addCall = () =>
    [...page.querySelectorAll('button')].find((one) => one.textContent === 'Add another call');
  expect(addCall()?.disabled).toBe(false);
  replaceIn(json, '{ "remark": ');
  expect(addCall()?.disabled).toBe(true);
  expect(json.contentDOM.getAttribute('aria-invalid')).toBe('true');
  json.focus();
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await settle();
  expect(props.sent.items).toEqual([]);
  replaceIn(json, '{ "remark": "0x02" }');
  await vi.waitFor(() => expect(sendButton(page)?.disabled).toBe(false));
  // The new call is in the same text.
  press(page, 'Add another call');
  await vi.waitFor(() => expect(json.hasFocus).toBe(true));
  expect(json.state.doc.toString()).toContain('"calls": [');
});

it('finds a call by words and selects it by keyboard; Escape restores the previous one', () => {
  const { page } = openBuild(remark('0x01'));
  const call = field(page, 'Call') as HTMLInputElement;
  const key = (name: string) => {
    call.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
    flushSync();
  };
  call.focus();
  typeIn(call, 'transfer keep');
  expect(page.querySelectorAll('[role="option"]').length).toBeGreaterThan(0);
  key('Escape');
  expect(call.value).toBe('System.remark');
  typeIn(call, 'no such call');
  expect(page.textContent).toContain('No call matches “no such call”.');
  typeIn(call, 'transferKeepAlive');
  key('Enter');
  expect(call.value).toBe('Balances.transfer_keep_alive');
});

it('builds a batch of three transfers in nine steps; its calls are lines, with one open', async () => {
  const { page, context } = openBuild(remark('0x01'));
  openLink('#/send/Balances/transfer_keep_alive');
  flushSync();
  let steps = 0;
  const to = (prefix: string, account: string) => {
    steps += 1;
    pickIn(field(page, `${prefix}dest Id: a known account`), account);
  };
  const amount = (prefix: string, text: string) => {
    steps += 1;
    typeIn(field(page, `${prefix}value`), text);
  };
  const click = (name: string | RegExp) => {
    steps += 1;
    press(page, name);
  };
  const lines = () =>
    [...page.querySelectorAll('[aria-label="Arguments"] [aria-expanded]')].map(
      (line) => `${line.getAttribute('aria-expanded')} ${line.textContent?.trim()}`,
    );
  await vi.waitFor(() => expect(page.textContent).toContain('UNIT'));
  const [, , charlie, dave] = devAccounts.map(({ id }) => id) as [string, string, string, string];
  to('', bob);
  amount('', '1 UNIT');
  click('Add another call');
  await vi.waitFor(() =>
    expect(document.activeElement?.textContent?.trim()).toBe('transfer_keep_alive → Bob 1 UNIT'),
  );
  expect(document.activeElement?.ariaExpanded).toBe('true');
  to('calls 1 Balances transfer_keep_alive ', charlie);
  amount('calls 1 Balances transfer_keep_alive ', '2 UNIT');
  click(/^Add call/);
  to('calls 2 Balances transfer_keep_alive ', dave);
  amount('calls 2 Balances transfer_keep_alive ', '3 UNIT');
  const line = (account: string, value: number) => `transfer_keep_alive → ${account} ${value} UNIT`;
  expect(lines()).toEqual([
    `false ${line('Bob', 1)}`,
    `false ${line('Charlie', 2)}`,
    `true ${line('Dave', 3)}`,
  ]);
  await vi.waitFor(() => expect(sendButton(page)?.disabled).toBe(false));
  click(/^Sign and send/);
  expect(steps).toBe(9);
  await vi.waitFor(() => expect(context.route.place.parts).toEqual(['Utility', 'batch_all']));
  press(page, /Duplicate\s*call 0/);
  press(page, /Remove call 2/);
  expect(lines()).toEqual([`false ${line('Bob', 1)}`, `true ${line('Bob', 1)}`, `false ${line('Dave', 3)}`]);
  // What is wrong is said once: at the field, or by the line of a call that is folded.
  page.className = 'tabnode-devtools';
  const faults = () =>
    [...page.querySelectorAll('.bad, .form-fault')].flatMap((one) =>
      one.checkVisibility() && one.textContent.trim() ? [one.textContent.trim()] : [],
    );
  typeIn(field(page, 'calls 1 Balances transfer_keep_alive dest Id'), 'nobody');
  expect(faults()).toEqual(['Enter an SS58 address or a 0x public key.']);
  expect(lines()[1]).toBe('true Balances.transfer_keep_alive');
  press(page, 'Balances.transfer_keep_alive');
  expect(faults()).toEqual([
    'Balances.transfer_keep_alive.dest.Id: enter an SS58 address or a 0x public key',
  ]);
});

it('a pallet starts with its most used call; a batch with the calls that the form has', async () => {
  const { page } = openBuild(remark('0x01'));
  const pick = (pallet: string) => {
    pickIn(field(page, 'Pallet'), pallet);
    const call = field(page, 'Call') as HTMLInputElement;
    call.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
    flushSync();
    return call.value;
  };
  expect(['Balances', 'System', 'Sudo', 'Proxy'].map(pick)).toEqual([
    'Balances.transfer_keep_alive',
    'System.remark',
    'Sudo.sudo',
    'Proxy.add_proxy',
  ]);
  openLink(`#/send/System/remark?call=${remark('0x07')}`);
  flushSync();
  expect(pick('Utility')).toBe('Utility.batch_all');
  expect(page.querySelector('[aria-label="Arguments"] [aria-expanded]')?.textContent).toContain(
    'System.remark { remark: 0x07 }',
  );
  openLink('#/send/Utility/batch');
  flushSync();
  expect(page.querySelectorAll('[aria-label="Arguments"] [aria-expanded]').length).toBe(1);
  pick('Balances');
  pick('Utility');
  expect(page.querySelector('[aria-label="Arguments"] [aria-expanded]')?.textContent.trim()).toBe(
    'Balances.transfer_keep_alive',
  );
});

it('the key sends nothing while a field holds something else: an address, a search or pasted bytes', async () => {
  const { page, subscribers } = openBuild(remark('0x01'));
  await vi.waitFor(() => expect(sendButton(page)?.disabled).toBe(false));
  const pressIn = async (label: string) => {
    const init = { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true };
    field(page, label)?.dispatchEvent(new KeyboardEvent('keydown', init));
    flushSync();
    const isSending = sendButton(page)?.ariaDisabled;
    await settle();
    expect([...subscribers.keys()]).not.toContain('author_submitAndWatchExtrinsic');
    return isSending;
  };
  (field(page, 'Call') as HTMLElement).click();
  typeIn(field(page, 'Call'), 'remark_with');
  expect(await pressIn('Call')).toBe('false');
  press(page, 'Paste hex…');
  typeIn(field(page, 'Bytes of a call or an extrinsic'), remark('0x99'));
  expect(await pressIn('Bytes of a call or an extrinsic')).toBe('false');
  expect((field(page, 'remark') as HTMLInputElement).value).toBe('0x99');
  pickIn(field(page, 'From'), 'other');
  await pressIn('Address of the sender');
  typeIn(field(page, 'Address of the sender'), '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQX');
  await pressIn('Address of the sender');
  expect([sendButton(page)?.disabled, page.textContent.includes('free balance')]).toEqual([true, false]);
  expect(sendButton(page)?.nextElementSibling?.textContent?.trim()).toBe('Enter the address of the sender.');
  typeIn(field(page, 'Address of the sender'), '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty');
  await vi.waitFor(() => expect(page.textContent).toContain('Bob'));
});

it('rejects hex that is not a call, and loads the call of a pasted extrinsic', async () => {
  const { page, context } = openBuild(remark('0x01'));
  press(page, 'Paste hex…');
  const paste = field(page, 'Bytes of a call or an extrinsic');
  typeIn(paste, '0xffff');
  press(page, 'Load');
  expect(page.querySelector('[role="alert"]')?.textContent).toMatch(/not a call of this runtime/);
  const call = fromHex(callOf('System', 'remark_with_event', { remark: '0x77' }));
  typeIn(paste, await signed(context.node, call, 0));
  press(page, 'Load');
  expect((field(page, 'Call') as HTMLInputElement).value).toBe('System.remark_with_event');
  expect((field(page, 'remark') as HTMLInputElement).value).toBe('0x77');
});

const signed = async (
  node: Parameters<typeof loadFacts>[0],
  call: Uint8Array,
  nonce: number,
): Promise<string> => {
  const signer = { kind: 'impersonated', id: alice, name: 'Alice' } as const;
  const facts = await loadFacts(
    node,
    String(Object.values(addressJson(real.meta, alice) as object)[0]),
    nonce,
  );
  return signCall(real.meta, call, signer, facts, { nonce, tip: 0n, period: null });
};

it('each part of the form is beside its label, or below it on a phone', () => {
  const { page } = openBuild(remark('0x01'));
  const labels = [...page.querySelectorAll('.parts > span')];
  expect(labels.map(({ textContent }) => textContent)).toEqual(['From', 'Call', 'Arguments', 'Options']);
  expectColumns(
    page,
    labels.map((label) => [label, label.nextElementSibling ?? label]),
    1024,
  );
  openLink(`#/send?call=${callOf('Balances', 'transfer_keep_alive', { dest: { Id: bob }, value: 1 })}`);
  flushSync();
  // An address is shown whole: on a line of its own if it does not fit beside the choices.
  widen(page, 1024);
  const topOf = (label: string) => field(page, label)?.getBoundingClientRect().top;
  expect(topOf('dest Id: a known account')).toBe(topOf('dest: variant'));
  expect(topOf('dest Id')).toBeGreaterThan(topOf('dest: variant') ?? 0);
});
