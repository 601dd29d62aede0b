import { expect, it, vi } from 'vitest';
import { storageEntry } from '../../../src/scale/storage.ts';
import ApiCall from '../../panels/runtime/ApiCall.svelte';
import SubmitRaw from '../../panels/send/SubmitRaw.svelte';
import KeyBuilder from '../../panels/storage/KeyBuilder.svelte';
import { mountIn, settle, typeIn } from '../../testing/open-page.ts';
import { useSend } from '../../testing/open-send.ts';
import { openLink } from './route.svelte.ts';

const { openSend, real } = useSend();

it('Ctrl+Enter reads a key, submits bytes or calls a runtime API from a field of that form only', async () => {
  const { context, props, asked } = openSend((method) =>
    method === 'state_call' ? new Promise(() => undefined) : undefined,
  );
  const { meta } = real;
  const entry = storageEntry(meta, 'System', 'BlockHash');
  const api = meta.metadata.apis.find(({ name }) => name === 'AccountNonceApi');
  const [method] = api?.methods ?? [];
  if (entry === null || method === undefined) throw new Error('not in this runtime');
  const onkeys = vi.fn();
  openLink('#/storage');
  const forms = [
    mountIn(context, KeyBuilder, { meta, entry, keys: [], onkeys }),
    mountIn(context, SubmitRaw, props),
    mountIn(context, ApiCall, { meta, hash: null, api: 'AccountNonceApi', method }),
  ];
  const fields = forms.map((form) => form.querySelector('form :is(textarea, input)'));
  const values = ['7', '0x1004000000', '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY'];
  for (const [index, value] of values.entries()) typeIn(fields[index], value);
  /** How often each of them has acted. */
  const pressIn = async (of: Element | null | undefined) => {
    const init = { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true };
    of?.dispatchEvent(new KeyboardEvent('keydown', init));
    await settle();
    const calls = asked.filter(([name]) => name === 'state_call').length;
    return [onkeys.mock.calls.length, props.sent.items.length, calls];
  };
  expect(await pressIn(document.body)).toEqual([0, 0, 0]);
  for (const form of forms) expect(await pressIn(form)).toEqual([0, 0, 0]);
  expect(await pressIn(fields[0])).toEqual([1, 0, 0]);
  expect(await pressIn(fields[1])).toEqual([1, 1, 0]);
  expect(await pressIn(fields[2])).toEqual([1, 1, 1]);
});
