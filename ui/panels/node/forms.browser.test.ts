import { expect, it, vi } from 'vitest';
import { mountIn, openContext, press, settle, typeIn } from '../../testing/open-page.ts';
import Keystore from './Keystore.svelte';
import Offchain from './Offchain.svelte';

it('does not treat invalid hexadecimal for offchain storage as text', async () => {
  const { context, asked } = openContext(() => null);
  const page = mountIn(context, Offchain, {});
  const [key, value] = page.querySelectorAll('input');
  typeIn(key, '0x0g');
  const isOff = () =>
    [...page.querySelectorAll('form button')].map((one) => (one as HTMLButtonElement).disabled);
  expect(isOff()).toEqual([true, true, true]);
  expect(page.querySelector('[role="status"]')?.textContent).toContain('pairs of hexadecimal digits');
  typeIn(key, '0x0a');
  typeIn(value, '0x1');
  expect(isOff()).toEqual([false, true, false]);
  typeIn(value, 'hi');
  press(page, 'Set');
  await settle();
  expect(asked).toContainEqual(['offchain_localStorageSet', 'PERSISTENT', '0x0a', '0x6869']);
});

it('asks in a dialog before it clears a key; the answer is not taken for the form around it', async () => {
  const { context, asked } = openContext(() => null);
  const page = mountIn(context, Offchain, {});
  typeIn(page.querySelector('input'), 'mine');
  const ask = [...page.querySelectorAll('button')].find(({ textContent }) => textContent.trim() === 'Clear…');
  ask?.focus();
  press(page, 'Clear…');
  const dialog = page.querySelector('dialog');
  expect([dialog?.matches(':modal'), dialog?.ariaLabel]).toEqual([true, 'Clear this key?']);
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'));
  press(page, 'Clear');
  await vi.waitFor(() => expect(page.querySelector('dialog')).toBeNull());
  await settle();
  expect(asked).toEqual([['offchain_localStorageClear', 'PERSISTENT', '0x6d696e65']]);
});

it('names the keys of the development accounts, those for votes too', async () => {
  const publicKey = '0x88dc3417d5058ec4b4503e0c12ea1a0a89be200fe98922423d4334014fa6b0ee';
  const { context } = openContext(() => [{ keyType: 'gran', scheme: 'ed25519', publicKey }]);
  const page = mountIn(context, Keystore, {});
  await settle();
  expect(page.querySelector('tbody')?.textContent).toContain('Alice');
});

it('keeps a key that the node rejects in the form', async () => {
  const { context } = openContext((method) => {
    if (method === 'author_insertKey') throw new Error('the key is not of this secret');
    return [];
  });
  const page = mountIn(context, Keystore, {});
  const texts = ['gran', '//Bob', `0x${'ab'.repeat(32)}`];
  const inputs = [...page.querySelectorAll('input')];
  for (const [at, text] of texts.entries()) typeIn(inputs[at], text);
  press(page, 'Insert');
  await settle();
  expect(page.querySelector('[role="alert"]')?.textContent).toContain('the key is not of this secret');
  expect(inputs.map(({ value }) => value)).toEqual(texts);
});
