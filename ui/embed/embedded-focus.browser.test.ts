import { createRawSnippet, flushSync, mount, unmount } from 'svelte';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createOwnAddress, currentFrame, setFrame } from '../kit/page/frame.ts';
import { openLink } from '../kit/page/route.svelte.ts';
import Dialog from '../kit/states/Dialog.svelte';
import RuntimeFileField from '../node/parts/RuntimeFileField.svelte';
import RpcPanel from '../panels/rpc/RpcPanel.svelte';
import { mountIn, openContext, settle } from '../testing/open-page.ts';

/** Makes the next components part of devtools in a shadow root. */
const embed = (): ShadowRoot => {
  const host = document.createElement('div');
  document.body.append(host);
  const root = host.attachShadow({ mode: 'open' });
  setFrame({ ...currentFrame(), root, host, keys: root, address: createOwnAddress() });
  onTestFinished(() => {
    setFrame(null);
    host.remove();
  });
  return root;
};

it('in embedded devtools, a dialog focuses its first field, not ✕', async () => {
  const root = embed();
  const children = createRawSnippet(() => ({ render: () => '<form><input aria-label="Address"></form>' }));
  const dialog = mount(Dialog, {
    target: root,
    props: { title: 'Fund', onclose: () => undefined, children },
  });
  onTestFinished(() => unmount(dialog));
  flushSync();
  expect(root.activeElement?.getAttribute('aria-label')).toBe('Address');
});

it('in embedded devtools, a focus that is lost is found, and one that is not stays', async () => {
  const root = embed();
  const props = { file: null, current: null, next: null, fault: null, onpick: () => undefined };
  const other = document.createElement('button');
  root.append(other);
  other.focus();
  const kept = mount(RuntimeFileField, { target: root, props });
  flushSync();
  expect(root.activeElement).toBe(other);
  await unmount(kept);
  other.disabled = true;
  await vi.waitFor(() => expect(root.activeElement === null || root.activeElement === other).toBe(true));
  const found = mount(RuntimeFileField, { target: root, props });
  onTestFinished(() => unmount(found));
  flushSync();
  await vi.waitFor(() => expect(root.activeElement?.getAttribute('type')).toBe('file'));
});

it('embedded devtools offer no link to a call: it would lead to the host page', async () => {
  const { context } = openContext((method) =>
    method === 'rpc_methods' ? { methods: ['system_name'] } : null,
  );
  const copyLink = (page: HTMLElement) => page.querySelector('[title^="Copy link"]');
  openLink('#/rpc/system_name');
  const page = mountIn(context, RpcPanel, {});
  await settle();
  expect(copyLink(page)).not.toBeNull();
  const { address } = currentFrame();
  const root = embed();
  setFrame({ ...currentFrame(), root, address });
  const embedded = mountIn(context, RpcPanel, {});
  await settle();
  expect(embedded.querySelector('input[list]')).not.toBeNull();
  expect(copyLink(embedded)).toBeNull();
});
