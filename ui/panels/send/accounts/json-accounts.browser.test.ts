import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady, signatureVerify } from '@polkadot/util-crypto';
import { flushSync } from 'svelte';
import { beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { fromHex } from '../../../../src/scale/hex.ts';
import { createPageKeys, pageKeys } from '../../../node/tx/page-keys.ts';
import { Signers } from '../../../node/tx/signers.svelte.ts';
import { mountIn, openContext } from '../../../testing/open-page.ts';
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
  const page = mountIn(context, AccountDialog, {
    meta: real.meta,
    signers,
    onpick: (one: string) => picked.push(one),
    onclose: () => undefined,
  });
  return { page, signers, picked };
};

const drop = (page: HTMLElement, name: string, parts: BlobPart[]) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(parts, name));
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
  drop(page, 'account.json', [text]);
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

it.each<[string, string, () => BlobPart, string, string]>([
  ['a wrong password', 'account.json', () => json, 'wrong', 'does not open'],
  ['a file that ends too early', 'account.json', () => json.slice(0, 200), password, 'ends too early'],
  ['other JSON', 'account.json', () => '{"name":"dev"}', password, 'not an exported account'],
  ['an Ethereum account', 'account.json', () => ethereum, password, 'Ethereum'],
  ['50 MB', 'large.json', () => new Uint8Array(50_000_000), '', '50 MB'],
])('%s is refused in one sentence, and nothing is stored', async (_what, name, make, secret, why) => {
  const { page, picked } = open();
  drop(page, name, [make()]);
  if (secret !== '') await openDropped(page, String(make()), secret);
  await vi.waitFor(() => expect(alertOf(page)).toContain(why));
  expect([picked, { ...localStorage }]).toEqual([[], {}]);
});
