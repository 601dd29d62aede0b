import { flushSync } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import { expect, it, onTestFinished, vi } from 'vitest';
import { encodeCall } from '../../../../src/scale/extrinsic.ts';
import { toHex } from '../../../../src/scale/hex.ts';
import { currentFrame } from '../../../kit/page/frame.ts';
import { openLink } from '../../../kit/page/route.svelte.ts';
import { MetadataOfBlocks } from '../../../node/metadata.svelte.ts';
import { Sent } from '../../../node/tx/sent.svelte.ts';
import { Signers } from '../../../node/tx/signers.svelte.ts';
import { mountIn, openContext, press, typeIn } from '../../../testing/open-page.ts';
import { sendButton } from '../../../testing/open-send.ts';
import { useRealNode } from '../../../testing/real-node.ts';
import BuildCall from './BuildCall.svelte';

const real = useRealNode();

const remark = (text: string): string => toHex(encodeCall(real.meta, 'System', 'remark', { remark: text }));
const remarkLink = (text: string): string => `#/send/System/remark?call=${remark(text)}`;

const openBuild = (link: string) => {
  const runtime = new SvelteMap([['meta', real.meta]]);
  onTestFinished(() => sessionStorage.clear());
  const { context } = openContext((method, params) => real.request(method, params));
  const props = {
    get meta() {
      return runtime.get('meta') ?? real.meta;
    },
    sent: new Sent(context.node, new MetadataOfBlocks(context.node)),
    signers: new Signers(),
  };
  const open = () => {
    const page = mountIn(context, BuildCall, props);
    const field = (label: string) => page.querySelector<HTMLInputElement>(`[aria-label="${label}"]`);
    return { page, field };
  };
  const go = (to: string) => {
    openLink(to);
    flushSync();
  };
  go(link);
  const query = (name: string) => context.route.place.query.get(name);
  const place = () => context.route.place.parts.join('.');
  return { ...open(), open, go, query, place, runtime };
};

it('starts with a transfer; what is typed goes to the address at once, and the last of it after a pause', async () => {
  const { field, query, place } = openBuild('#/send');
  expect(place()).toBe('Balances.transfer_keep_alive');
  typeIn(field('tip'), '5');
  typeIn(field('tip'), '56');
  typeIn(field('tip'), '567');
  await vi.waitFor(() => expect(query('tip')).toBe('567'));
});

it('a link and Back replace the draft; one that was written is restored as it was', async () => {
  const { page, field, go, query } = openBuild(remarkLink('0x01'));
  typeIn(field('remark'), '0x0102');
  await vi.waitFor(() => expect(query('call')).toBe(remark('0x0102')));
  go(`${remarkLink('0x77')}&tip=9`);
  expect([field('remark')?.value, field('tip')?.value]).toEqual(['0x77', '9']);
  go(remarkLink('0x0102'));
  expect([field('remark')?.value, field('tip')?.value]).toEqual(['0x0102', '']);
  expect(page.querySelector('[role="alert"]')).toBeNull();
});

it('text that is not in the address yet does not follow the user to another page', async () => {
  const { field, go, place, open } = openBuild(remarkLink('0x01'));
  typeIn(field('remark'), '0x02');
  typeIn(field('remark'), '0x0203');
  go('#/send/pool');
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(place()).toBe('pool');
  go('#/send');
  const again = open();
  expect([again.field('remark')?.value, place()]).toEqual(['0x0203', 'System.remark']);
});

it('incomplete JSON stays, also over a visit to another page, until another call is opened', async () => {
  const { page, field, go, query, open } = openBuild(remarkLink('0x01'));
  press(page, 'JSON');
  typeIn(field('Arguments as JSON'), '{ "remark": ');
  await vi.waitFor(() => expect(query('call')).toBeUndefined());
  go('#/send/pool');
  go('#/send');
  const again = open();
  expect(again.field('Arguments as JSON')?.value).toBe('{ "remark": ');
  go(remarkLink('0x05'));
  expect(again.field('Arguments as JSON')?.value).toContain('"0x05"');
});

it('incomplete arguments and JSON outlive a reload, in the call that the address names, until they are complete', async () => {
  const first = openBuild(remarkLink('0x01'));
  typeIn(first.field('remark'), '0x012');
  await vi.waitFor(() => expect(first.query('call')).toBeUndefined());
  const second = openBuild('#/send/System/remark');
  expect(second.field('remark')?.value).toBe('0x012');
  expect(openBuild('#/send').place()).toBe('System.remark');
  expect(openBuild('#/send/System/remark_with_event').field('remark')?.value).toBe('0x');
  const third = openBuild('#/send/System/remark');
  press(third.page, 'JSON');
  typeIn(third.field('Arguments as JSON'), '{ "remark": ');
  await vi.waitFor(() => expect(sessionStorage.length).toBe(1));
  const fourth = openBuild('#/send/System/remark');
  const json = fourth.field('Arguments as JSON');
  expect(json?.value).toBe('{ "remark": ');
  typeIn(json, '{ "remark": "0x0123" }');
  await vi.waitFor(() => expect(fourth.query('call')).toBe(remark('0x0123')));
  expect(openBuild('#/send/System/remark').field('remark')?.value).toBe('0x');
});

it('a draft that is too large for a reload says so before and after it, and does not become an empty call', async () => {
  const link = '#/send/System/remark';
  const first = openBuild(link);
  const says = (text: string) =>
    vi.waitFor(() =>
      expect([...document.querySelectorAll('[role="status"]')].at(-1)?.textContent).toBe(text),
    );
  typeIn(first.field('remark'), `0x${'ab'.repeat(200_000)}`);
  await says('This draft is too large to keep over a reload.');
  expect(sendButton(first.page)?.disabled).toBe(false);
  for (const _ of ['a reload', 'one more']) {
    const next = openBuild(link);
    await says('This draft was too large to keep over a reload. Enter the arguments again.');
    expect([next.field('remark')?.value, sendButton(next.page)?.disabled]).toEqual(['0x', true]);
  }
  const last = openBuild('#/send');
  expect([last.place(), sendButton(last.page)?.disabled]).toEqual(['System.remark', true]);
  typeIn(last.field('remark'), '0x01');
  await vi.waitFor(() => expect(last.query('call')).toBe(remark('0x01')));
  expect(sendButton(last.page)?.disabled).toBe(false);
  expect(last.page.textContent).not.toContain('too large');
});

it('after a runtime upgrade, the address holds the bytes of the new runtime', async () => {
  const { query, runtime, page, field } = openBuild(remarkLink('0x01'));
  const { meta } = real;
  // The typed text is written last, and nothing is pending afterwards.
  typeIn(field('remark'), '0x02');
  await vi.waitFor(() => expect(query('call')).toBe(remark('0x02')));
  const calls = meta.lookup(meta.callType ?? -1);
  if (calls.type !== 'enum' || calls.value['System'] === undefined) throw new Error('no calls');
  const upgraded = { ...calls, value: { ...calls.value, System: { ...calls.value['System'], idx: 99 } } };
  const lookup = Object.assign(
    (id: number) => (id === meta.callType ? upgraded : meta.lookup(id)),
    meta.lookup,
  );
  runtime.set('meta', { ...meta, lookup });
  await vi.waitFor(() => expect(query('call')).toMatch(/^0x63/));
  expect(query('call')?.slice(4)).toBe(remark('0x02').slice(4));
  expect(page.querySelector('[role="alert"]')).toBeNull();
});

it('leaves the address of another chain alone', () => {
  const { field, go } = openBuild(`#/@one/send/System/remark?call=${remark('0x01')}`);
  expect(field('remark')?.value).toBe('0x01');
  go('#/@two/send');
  expect(currentFrame().address.read()).toBe('#/@two/send');
  go(remarkLink('0x05'));
  expect(field('remark')?.value).toBe('0x05');
});

it('keeps a call above 16 KiB out of the address, and in the form', async () => {
  const { field, go, query, open } = openBuild(remarkLink('0x01'));
  const long = `0x${'ab'.repeat(20_000)}`;
  typeIn(field('remark'), long);
  await vi.waitFor(() => expect(query('call')).toBeUndefined());
  go('#/send/pool');
  go('#/send');
  const encoded = open().field('Encoded call')?.textContent;
  expect(encoded?.replace(/\s+/g, ' ')).toContain('20 006 bytes');
});

it('does not load bytes that this runtime reads as another call than the address names', () => {
  const { page, field, query } = openBuild(`#/send/System/remark_with_event?call=${remark('0x01')}`);
  expect(page.querySelector('[role="alert"]')?.textContent).toBe(
    'The bytes in the address are those of System.remark, not of System.remark_with_event.',
  );
  expect(field('Call')?.value).toBe('System.remark_with_event');
  expect(query('call')).toBe(remark('0x01'));
});
