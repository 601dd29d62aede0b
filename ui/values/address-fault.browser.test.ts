import { expect, it, vi } from 'vitest';
import '../tokens.css';
import '../base.css';
import '../panels.css';
import { openLink } from '../kit/page/route.svelte.ts';
import { createMethodFinder } from '../node/client/method-info.ts';
import AddSubscription from '../panels/live/subscriptions/AddSubscription.svelte';
import BuildCall from '../panels/send/build/BuildCall.svelte';
import EntryView from '../panels/storage/EntryView.svelte';
import { mountIn, press, typeIn } from '../testing/open-page.ts';
import { useSend } from '../testing/open-send.ts';
import BytesField from './call/fields/BytesField.svelte';
import ParamField from './call/fields/ParamField.svelte';

const { openSend, real } = useSend();

it('every form says once that an address is not one', async () => {
  const { context: opened, props } = openSend();
  const { meta } = real;
  const context = { ...opened, metadata: { best: meta, fault: null } as never };
  const none = () => undefined;
  const saysOnce = async (page: HTMLElement, label: string) => {
    const find = () => page.querySelector(`[aria-label="${label}"]`);
    await vi.waitFor(() => expect(find()).not.toBeNull());
    typeIn(find(), 'nobody');
    await vi.waitFor(() => expect(page.innerText.match(/SS58/g)?.length).toBe(1));
  };
  openLink('#/send/Balances/transfer_keep_alive');
  await saysOnce(mountIn(context, BuildCall, props), 'dest Id');
  const info = createMethodFinder()('system_accountNextIndex');
  // What the form says once the node has refused it.
  const fault = info?.check(['nobody'], true)[0] ?? null;
  expect(fault?.text).toContain('SS58');
  const [param = null] = info?.params ?? [];
  const argument = { method: 'x', param: param as never, value: 'nobody', fault, onchange: none };
  expect(mountIn(context, ParamField, argument).innerText.match(/SS58/g)?.length).toBe(1);
  const methods = ['state_subscribeStorage'];
  const subscribe = mountIn(context, AddSubscription, { methods, onadd: none, onclose: none });
  const pickIn = (page: HTMLElement, ...names: readonly string[]) => {
    for (const name of names) {
      const select = [...page.querySelectorAll('select')].find(({ options }) =>
        [...options].some(({ value }) => value === name),
      );
      if (!select) throw new Error(`no choice ${name}`);
      select.value = name;
      select.dispatchEvent(new Event('change', { bubbles: true }));
    }
  };
  const key = { label: 'key', value: '', isKey: true, optional: false, onchange: none };
  const build = mountIn(context, BytesField, key);
  press(build, 'Build key…');
  for (const page of [subscribe, build]) {
    pickIn(page, 'System', 'Account');
    await saysOnce(page, 'key 1');
  }
  openLink('#/storage/System/Account/["nobody"]');
  const entry = mountIn(context, EntryView, { meta, pallet: 'System', entry: 'Account', hash: null });
  expect(entry.innerText.match(/SS58/g)?.length).toBe(1);
});
