import { expect, it, vi } from 'vitest';
import '../../tokens.css';
import '../../base.css';
import '../../panels.css';
import { openLink } from '../../kit/page/route.svelte.ts';
import type { UiNode } from '../../node/client/ui-node.ts';
import { Sent } from '../../node/tx/sent.svelte.ts';
import { mountIn, press, typeIn } from '../../testing/open-page.ts';
import { useSend } from '../../testing/open-send.ts';
import SendPanel from './SendPanel.svelte';
import SubmitRaw from './SubmitRaw.svelte';

const { openSend, real } = useSend();

it('with metadata that cannot be read, one sentence says so and leads to the page that needs none', async () => {
  // Metadata of 2018, before types could be looked up by name.
  const { context, subscribers } = openSend((method, [name]) => {
    if (method === 'state_getMetadata') return '0x6d65746108';
    if (method === 'state_call' && name === 'Metadata_metadata_at_version')
      throw Object.assign(new Error('Client error: not exported'), { code: 4003 });
    return undefined;
  });
  openLink('#/send');
  const page = mountIn(context, SendPanel, {});
  await vi.waitFor(() => expect(subscribers.has('state_subscribeRuntimeVersion')).toBe(true));
  subscribers.get('state_subscribeRuntimeVersion')?.({});
  await vi.waitFor(() =>
    expect(page.textContent.replace(/\s+/g, ' ')).toContain(
      'This runtime’s metadata (V8) is older than this page reads. Blocks, raw storage and RPC work.',
    ),
  );
  expect(page.textContent).not.toContain('RPC panel');
  const [link] = [...page.querySelectorAll<HTMLAnchorElement>('.content a')];
  expect(link?.textContent).toBe('Submit raw');
  openLink(link?.hash ?? '');
  const bytes = '0x1004000001';
  await vi.waitFor(() => expect(page.querySelector('textarea')).not.toBeNull());
  typeIn(page.querySelector('textarea'), bytes);
  expect(page.querySelector<HTMLButtonElement>('[type="submit"]')?.disabled).toBe(false);
  expect(page.textContent).toContain('The bytes are submitted as they are.');
  press(page, 'Submit');
  await vi.waitFor(() => expect(subscribers.has('author_submitAndWatchExtrinsic')).toBe(true));
});

it('the button that submits bytes says why it is disabled', () => {
  const { context, props } = openSend();
  openLink('#/send/raw');
  const page = mountIn(context, SubmitRaw, props);
  const button = page.querySelector<HTMLButtonElement>('[type="submit"]');
  const reason = () => page.querySelector(`#${button?.getAttribute('aria-describedby')}`)?.textContent;
  const type = (text: string) => {
    typeIn(page.querySelector('textarea'), text);
    return [button?.disabled, reason()];
  };
  expect(type('')).toEqual([true, 'Paste a signed extrinsic.']);
  expect(type('0x')).toEqual([true, 'Enter the bytes after 0x.']);
  expect(type('0x1')).toEqual([true, 'Correct the bytes.']);
  expect(page.textContent).toContain('Enter bytes as 0x followed by pairs of hexadecimal digits.');
  expect(type('0x1004000001')).toEqual([false, '']);
});

it('what is wrong with bytes is short, however long their numbers are', () => {
  const { context, props } = openSend();
  openLink('#/send/raw');
  const page = mountIn(context, SubmitRaw, props);
  const garbage: readonly (readonly [string, RegExp])[] = [
    ['ff'.repeat(2000), /: the length prefix is \d{20}…, 1932 bytes follow\. It can still be submitted\.$/],
    [`ff${'00'.repeat(67)}`, /: the compact integer 0 could be shorter/],
    ['ffff', /: 67 bytes expected, 1 left/],
  ];
  for (const [bytes, why] of garbage) {
    typeIn(page.querySelector('textarea'), `0x${bytes}`);
    const text = page.querySelector('[role="status"]')?.textContent?.trim() ?? '';
    expect(text).toMatch(why);
    expect(text.length).toBeLessThan(140);
  }
});

it('what the page says of bytes that the node refuses is short too', async () => {
  const { context } = openSend();
  const subscribe: UiNode['subscribe'] = (_, params) => ({
    opened: real.request('author_submitExtrinsic', params).then(() => undefined),
    close: () => undefined,
  });
  const sent = new Sent(context.node.with({ subscribe }), context.metadata);
  for (const bytes of ['', 'ff', 'ff'.repeat(2000), `04${'ff'.repeat(50)}`, '00']) {
    const item = await sent.submit(`0x${bytes}`, 'bytes', 'unknown signer');
    expect(item?.refused).toMatch(/^[A-Z].{20,140}\.$/);
  }
});
