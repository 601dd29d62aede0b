import { SvelteMap } from 'svelte/reactivity';
import { expect, it, onTestFinished, vi } from 'vitest';
import { loadNextRuntime } from '../../../../test/rigs/platform.ts';
import RuntimeFileField from '../../../node/parts/RuntimeFileField.svelte';
import { mountIn, settle } from '../../../testing/open-page.ts';
import { sendButton, useSend } from '../../../testing/open-send.ts';
import Upgrade from './Upgrade.svelte';

const { openSend, real } = useSend();
const upload = async (page: HTMLElement, name: string, bytes: Uint8Array): Promise<void> => {
  const input = page.querySelector<HTMLInputElement>('[type="file"]');
  if (input === null) throw new Error('no field');
  const files = new DataTransfer();
  files.items.add(new File([bytes as Uint8Array<ArrayBuffer>], name));
  input.files = files.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
  await settle();
};

it('shows the version of the runtime file; rejects a file that is not a runtime, with the reason', async () => {
  const { context, props } = openSend();
  const page = mountIn(context, Upgrade, props);
  const version = () => /→\s*(tabnode \d+)/.exec(page.textContent ?? '')?.[1];
  await vi.waitFor(() => expect(page.textContent).toContain('tabnode 101'));
  await vi.waitFor(() => expect(sendButton(page)).toBeDefined());
  const file = page.querySelector<HTMLInputElement>('[type="file"]');
  // A link in another panel has led here, and is gone with its focus; a link of this panel keeps it.
  expect(document.activeElement).toBe(file);
  const link = document.createElement('button');
  page.append(link);
  link.focus();
  mountIn(context, Upgrade, props);
  expect(document.activeElement).toBe(link);
  expect([file?.labels?.[0]?.textContent, file?.getAttribute('aria-label')]).toEqual([
    expect.stringMatching(/^\s*Choose file…\s+Runtime, a .wasm file\s*$/),
    null,
  ]);
  await upload(page, 'notes.txt', new TextEncoder().encode('no runtime'));
  await vi.waitFor(() =>
    expect(page.querySelector('[role="alert"]')?.textContent).toMatch(/neither a WebAssembly/),
  );
  expect(sendButton(page)?.disabled).toBe(true);
  await upload(page, 'next.wasm', await loadNextRuntime());
  await vi.waitFor(() => expect(version()).toBe('tabnode 102'));
  expect(page.querySelector('aside p')?.textContent?.replace(/\s+/g, ' ').trim()).toBe(
    'Sent as Sudo.sudo_unchecked_weight(System.set_code), which runs as root and ignores block limits. The new code takes effect with the next block.',
  );
  expect(page.querySelector('[role="alert"]')).toBeNull();
  await vi.waitFor(() => expect(sendButton(page)?.disabled).toBe(false));
});

it('ignores a late version of a file that was replaced, and reports a version that is too low', async () => {
  const infos: PromiseWithResolvers<unknown>[] = [];
  const { context, props } = openSend((method) => {
    if (method !== 'dev_runtimeInfo') return undefined;
    const info = Promise.withResolvers<unknown>();
    infos.push(info);
    return info.promise;
  });
  const page = mountIn(context, Upgrade, props);
  const version = () => /→\s*(tabnode \d+)/.exec(page.textContent ?? '')?.[1];
  await vi.waitFor(() => expect(page.textContent).toContain('tabnode 101'));
  await upload(page, 'one.wasm', Uint8Array.of(1));
  await vi.waitFor(() => expect(infos.length).toBe(1));
  await upload(page, 'two.wasm', Uint8Array.of(2));
  await vi.waitFor(() => expect(infos.length).toBe(2));
  infos[1]?.resolve({ specName: 'tabnode', specVersion: 100 });
  await vi.waitFor(() => expect(version()).toBe('tabnode 100'));
  expect(page.textContent).toContain('This runtime does not meet the requirement');
  infos[0]?.resolve({ specName: 'other', specVersion: 7 });
  await settle();
  expect(version()).toBe('tabnode 100');
});

it('neither refuses nor resends a file whose version already runs, as after its upgrade', async () => {
  const { context, props } = openSend((method) =>
    method === 'dev_runtimeInfo' ? { specName: 'tabnode', specVersion: 101 } : undefined,
  );
  const page = mountIn(context, Upgrade, props);
  await vi.waitFor(() => expect(page.textContent).toContain('tabnode 101'));
  await upload(page, 'same.wasm', Uint8Array.of(1));
  await vi.waitFor(() => expect(page.textContent).toContain('This version is already running.'));
  expect(page.textContent).not.toContain('This runtime does not meet the requirement');
  expect(sendButton(page)?.disabled).toBe(true);
});

it('tells that an upgrade has landed, also of a file dropped before the version was known', async () => {
  let hasLanded = false;
  const opened = openSend((method) => {
    if (method === 'state_getRuntimeVersion') return version.promise;
    // The form stays while it reads the sudo key of the new runtime.
    if (method === 'state_getStorage' && hasLanded) return new Promise(() => undefined);
    return method === 'dev_runtimeInfo' ? { specName: 'tabnode', specVersion: 102 } : undefined;
  });
  let version = Promise.withResolvers<unknown>();
  const session = { upgrade: { name: 'next.wasm', bytes: Uint8Array.of(1) } };
  const now = new SvelteMap([['meta', real.meta]]);
  const props = { ...opened.props, get meta() { return now.get('meta') ?? real.meta; } }; // biome-ignore format: short
  const page = mountIn({ ...opened.context, session: session as never }, Upgrade, props);
  version.resolve({ specName: 'tabnode', specVersion: 101 });
  await vi.waitFor(() => expect(page.textContent).toMatch(/Upgrade:\s+tabnode 101\s+→\s+tabnode 102/));
  expect(page.textContent).not.toContain('Upgraded from');
  await vi.waitFor(() => expect(sendButton(page)?.disabled).toBe(false));
  sendButton(page)?.focus();
  version = Promise.withResolvers();
  version.resolve({ specName: 'tabnode', specVersion: 102 });
  hasLanded = true;
  now.set('meta', { ...real.meta });
  await vi.waitFor(() =>
    expect(page.querySelector('[role="status"].ok')?.textContent).toContain('✓ Upgraded from tabnode 101.'),
  );
  // The button of the upgrade is disabled, so the focus goes to the way on.
  expect(sendButton(page)?.disabled).toBe(true);
  expect(document.activeElement?.textContent).toBe('See the new runtime');
});

it('a file that is read late does not replace one that was chosen after it', async () => {
  const { context } = openSend();
  const onpick = vi.fn();
  const props = { file: null, current: null, next: null, fault: null, onpick };
  const page = mountIn(context, RuntimeFileField, props);
  const read = Promise.withResolvers<ArrayBuffer>();
  const arrayBuffer = vi.spyOn(File.prototype, 'arrayBuffer').mockReturnValueOnce(read.promise);
  onTestFinished(() => arrayBuffer.mockRestore());
  await upload(page, 'large.wasm', Uint8Array.of(1));
  await upload(page, 'small.wasm', Uint8Array.of(2));
  await vi.waitFor(() => expect(onpick).toHaveBeenCalledTimes(1));
  read.resolve(new ArrayBuffer(8));
  await settle();
  expect(onpick.mock.calls.map(([{ name }]) => name)).toEqual(['small.wasm']);
});
