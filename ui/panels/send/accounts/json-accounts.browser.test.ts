import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady, signatureVerify } from '@polkadot/util-crypto';
import { flushSync } from 'svelte';
import { beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { fromHex } from '../../../../src/scale/hex.ts';
import { createPageKeys, pageKeys } from '../../../node/tx/page-keys.ts';
import { Signers } from '../../../node/tx/signers.svelte.ts';
import { mountClosable, mountIn, openContext } from '../../../testing/open-page.ts';
import { useRealNode } from '../../../testing/real-node.ts';
import AccountDialog from './AccountDialog.svelte';
import UnlockForm from './UnlockForm.svelte';

const real = useRealNode();
const password = 'correct horse';
const secretUri = '//Mine//of a test';
let json = '';
let id: `0x${string}` = '0x';
let ethereum = '';

beforeAll(async () => {
  await cryptoWaitReady();
  const pair = new Keyring({ type: 'ed25519' }).addFromUri(secretUri, { name: 'Cold' });
  id = `0x${[...pair.publicKey].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  json = JSON.stringify(pair.toJson(password));
  ethereum = JSON.stringify(
    new Keyring({ type: 'ethereum' }).addFromUri(`0x${'42'.repeat(32)}`).toJson(password),
  );
});
beforeEach(() => localStorage.clear());

const open = () => {
  const signers = new Signers();
  const picked: string[] = [];
  const { context } = openContext(() => null);
  const { page, close } = mountClosable(context, AccountDialog, {
    meta: real.meta,
    signers,
    onpick: (one: string) => picked.push(one),
    onclose: () => undefined,
  });
  return { page, close, signers, picked };
};

const drop = (page: HTMLElement, ...files: readonly (readonly [name: string, part: BlobPart])[]) => {
  const dataTransfer = new DataTransfer();
  for (const [name, part] of files) dataTransfer.items.add(new File([part], name));
  page
    .querySelector('form[aria-label="JSON account"]')
    ?.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
};
const button = (page: HTMLElement, label: string) =>
  [...page.querySelectorAll('button')].find(({ textContent }) => textContent?.trim() === label);
const type = (page: HTMLElement, label: string, text: string) => {
  const input = page.querySelector<HTMLInputElement>(`[aria-label="${label}"]`);
  if (input === null) throw new Error(`no field ${label}`);
  input.value = text;
  input.dispatchEvent(new Event('input', { bubbles: true }));
  flushSync();
};
const openDropped = async (page: HTMLElement, text: string, secret: string, keeps = false) => {
  drop(page, ['account.json', text]);
  await vi.waitFor(() => expect(button(page, 'Open account')).toBeDefined());
  if (keeps)
    page.querySelector<HTMLInputElement>('form[aria-label="JSON account"] input[type="checkbox"]')?.click();
  type(page, 'Password of the file', secret);
  button(page, 'Open account')?.click();
};
const alertOf = (page: HTMLElement) => page.querySelector('[role="alert"]')?.textContent ?? '';
const signs = async (signers: Signers) => {
  const payload = new Uint8Array(40).fill(3);
  const { type, signature } = await pageKeys.sign(id, payload);
  expect(signers.of(id).kind).toBe('key');
  expect(signatureVerify(payload, fromHex(signature), id)).toMatchObject({ isValid: true, crypto: type });
};

it('a JSON account that is dropped signs while the page lives, and leaves only its name', async () => {
  const { page, signers, picked } = open();
  onTestFinished(() => signers.forget(id));
  await openDropped(page, json, password);
  await vi.waitFor(() => expect(picked).toEqual([id]));
  expect(signers.of(id)).toMatchObject({ kind: 'key', name: 'Cold' });
  await signs(signers);
  const stored = JSON.stringify([{ ...localStorage }, { ...sessionStorage }]);
  expect(stored).toContain('Cold');
  for (const secret of [password, secretUri, 'encoded']) expect(stored).not.toContain(secret);
  // As after a reload.
  const noKeys = createPageKeys(() => {
    throw new Error('nothing to ask');
  });
  expect(new Signers(null, noKeys).of(id).kind).toBe('impersonated');
});

it('kept on request, it is encrypted, and locked after a reload until its password is entered', async () => {
  const { page, signers, picked } = open();
  await openDropped(page, json, password, true);
  await vi.waitFor(() => expect(picked).toEqual([id]));
  signers.lock(id);
  await expect(pageKeys.sign(id, new Uint8Array(1))).rejects.toThrow('locked');

  const again = new Signers();
  onTestFinished(() => again.forget(id));
  const signer = again.of(id);
  if (signer.kind !== 'locked') throw new Error(signer.kind);
  const { context } = openContext(() => null);
  const form = mountIn(context, UnlockForm, { signer, signers: again });
  type(form, 'Password of the account', 'wrong');
  button(form, 'Unlock')?.click();
  await vi.waitFor(() => expect(alertOf(form)).toContain('does not open'));
  type(form, 'Password of the account', password);
  button(form, 'Unlock')?.click();
  await vi.waitFor(() => expect(again.isHeld(id)).toBe(true));
  await signs(again);
});

it('a key that was typed is saved as JSON, which polkadot-js opens', async () => {
  const signers = new Signers();
  const own = await signers.add('Typed', secretUri, { type: 'ecdsa' });
  onTestFinished(() => signers.forget(own));
  const keyring = new Keyring({ type: 'ecdsa' });
  const pair = keyring.addFromJson(JSON.parse(await signers.save(own, 'new one')));
  pair.unlock('new one');
  expect([pair.meta['name'], pair.address]).toEqual(['Typed', keyring.createFromUri(secretUri).address]);
  await expect(signers.save(own, '')).rejects.toMatchObject({ code: 'WrongPassword' });
});

it('decrypting does not block the page', async () => {
  const { page, picked, signers } = open();
  onTestFinished(() => signers.forget(id));
  const from = performance.now();
  await openDropped(page, json, password);
  let frames = 0;
  while (picked.length === 0) {
    await new Promise(requestAnimationFrame);
    if (page.querySelector('progress[aria-label="Decrypting the account"]') !== null) frames++;
  }
  const tookMs = performance.now() - from;
  expect(frames, `frames in ${tookMs} ms`).toBeGreaterThan(3);
});

it.each<[string, () => string, string, string]>([
  ['a wrong password', () => json, 'wrong', 'does not open'],
  ['a file that ends too early', () => json.slice(0, 200), password, 'ends too early'],
  ['other JSON', () => '{"encoded":1}', password, 'not an exported account'],
  ['an Ethereum account', () => ethereum, password, 'Ethereum'],
])('%s is refused in one sentence, and nothing is stored', async (_what, make, secret, why) => {
  const { page, picked } = open();
  await openDropped(page, make(), secret);
  await vi.waitFor(() => expect(alertOf(page)).toContain(why));
  expect([picked, { ...localStorage }]).toEqual([[], {}]);
});

it.each<[string, string, () => BlobPart, string]>([
  ['50 MB', 'large.json', () => new Uint8Array(50_000_000), '50 MB'],
  [
    'a picture',
    'photo.png',
    () => Uint8Array.of(0x89, 0x50, 0x4e, 0x47),
    'photo.png is not an exported account',
  ],
  [
    'a runtime',
    'node.wasm',
    () => Uint8Array.of(0, 0x61, 0x73, 0x6d),
    'node.wasm is not an exported account',
  ],
  [
    'a chain specification',
    'spec.json',
    () => '{"name":"dev","id":"dev"}',
    'spec.json is not an exported account',
  ],
  ['nothing', 'empty.json', () => '', 'empty.json is not an exported account'],
])('%s is refused before a password is asked for', async (_what, name, make, why) => {
  const { page } = open();
  drop(page, [name, make()]);
  await vi.waitFor(() => expect(alertOf(page)).toContain(why));
  expect(button(page, 'Open account')).toBeUndefined();
});

it('one file is dropped at a time, and the last one counts', async () => {
  const { page, picked, signers } = open();
  onTestFinished(() => signers.forget(id));
  drop(page, ['one.json', json], ['two.json', json]);
  flushSync();
  expect(alertOf(page)).toBe('Drop one file at a time.');
  drop(page, ['slow.json', json + ' '.repeat(4_000_000)]);
  drop(page, ['account.json', json]);
  await openDropped(page, json, password);
  expect(page.textContent).toContain('account.json');
  drop(page, ['other.json', json]);
  flushSync();
  expect(alertOf(page)).toBe('Wait until the other file is open, or cancel that.');
  await vi.waitFor(() => expect(picked).toEqual([id]));
});

it.each(['canceled', 'closed'] as const)(
  'while it is decrypted, the dialog is %s: nothing is added',
  async (how) => {
    const { page, close, picked, signers } = open();
    const opening = vi.spyOn(signers, 'open');
    await openDropped(page, json, password, true);
    await vi.waitFor(() => expect(button(page, 'Cancel')).toBeDefined());
    const held = pageKeys.held.all.size;
    if (how === 'canceled') {
      button(page, 'Cancel')?.click();
      await vi.waitFor(() => expect(button(page, 'Cancel')).toBeUndefined());
      expect(alertOf(page)).toBe('');
    } else {
      await close();
      await Promise.allSettled(opening.mock.results.map(({ value }) => value));
    }
    expect([picked, { ...localStorage }, pageKeys.held.all.size, signers.isHeld(id)]).toEqual([
      [],
      {},
      held,
      false,
    ]);
  },
);
