import { Keyring } from '@polkadot/keyring';
import { u8aToHex } from '@polkadot/util';
import { cryptoWaitReady, jsonEncrypt } from '@polkadot/util-crypto';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createPageKeys } from './page-keys.ts';
import { Signers } from './signers.svelte.ts';

const uris = ['//One', '//Two', '//Three'];
let ids: readonly string[] = [];
/** A file of accounts that are not encrypted again inside of it, so that only the file itself costs a scrypt. */
let batch = '';
const password = 'secret';

beforeAll(async () => {
  await cryptoWaitReady();
  const pairs = uris.map((uri) => new Keyring({ type: 'sr25519' }).addFromUri(uri, { name: uri.slice(2) }));
  ids = pairs.map(({ publicKey }) => u8aToHex(publicKey));
  const all = new TextEncoder().encode(JSON.stringify(pairs.map((pair) => pair.toJson())));
  batch = JSON.stringify({ ...jsonEncrypt(all, ['batch-pkcs8'], password), accounts: [] });
});
beforeEach(() => localStorage.clear());

const payload = new Uint8Array(40).fill(3);

const open = () => {
  const workers: Worker[] = [];
  const keys = createPageKeys(() => {
    const worker = new Worker(new URL('./key-worker.ts', import.meta.url), { type: 'module' });
    workers.push(worker);
    return worker;
  });
  return { keys, workers, signers: new Signers(null, keys) };
};

it('a worker that is ended by the browser loses its keys: what waits is rejected, and accounts are locked', async () => {
  // Ends itself without an event, as a browser does for want of memory.
  const text = `
    const held = Promise.withResolvers();
    navigator.locks.request('lost-keys', () => {
      postMessage({ lock: 'lost-keys' });
      held.resolve();
      return new Promise(() => undefined);
    });
    onmessage = async ({ data: { turn, call } }) => {
      await held.promise;
      if (call === 'add') postMessage({ turn, value: { id: '${ids[0]}', type: 'sr25519', name: null, text: null } });
      else close();
    };`;
  const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  const keys = createPageKeys(() => new Worker(url));
  const signers = new Signers(null, keys);
  await signers.add('One', '//One');
  expect(signers.of(ids[0] ?? '').kind).toBe('key');
  await expect(keys.sign(ids[0] ?? '', payload)).rejects.toThrow('ended the worker that holds the keys');
  expect(keys.held.all.size).toBe(0);
  expect(signers.of(ids[0] ?? '').kind).toBe('impersonated');
});

it('a worker that cannot be loaded is said so, and the next call tries again', async () => {
  let isOffline = true;
  const keys = createPageKeys(() =>
    isOffline
      ? new Worker('/nowhere.js', { type: 'module' })
      : new Worker(new URL('./key-worker.ts', import.meta.url), { type: 'module' }),
  );
  await expect(keys.add('//One', 'sr25519')).rejects.toThrow('could not be loaded');
  isOffline = false;
  expect(await keys.add('//One', 'sr25519')).toMatchObject({ id: ids[0] });
});

it('a key is held for the page, also once another chain is shown', async () => {
  const { keys, signers } = open();
  const id = await signers.add('One', '//One');
  const next = new Signers(null, keys);
  expect(next.of(id).kind).toBe('key');
  next.forget(id);
  await vi.waitFor(() => expect(keys.sign(id, payload)).rejects.toThrow('locked'));
});

it('opening a file that is canceled holds no key and stores nothing', async () => {
  const { keys, signers } = open();
  const canceled = new AbortController();
  const opening = signers.open(batch, password, {
    keeps: true,
    signal: canceled.signal,
    onOpened: () => canceled.abort(),
  });
  await expect(opening).rejects.toMatchObject({ code: 'Aborted' });
  expect([keys.held.all.size, { ...localStorage }]).toEqual([0, {}]);
  for (const id of ids) await expect(keys.sign(id, payload)).rejects.toThrow('locked');
});

it('a file of several accounts does not keep a signature waiting until all are open', async () => {
  const { keys } = open();
  await keys.add('//One', 'sr25519');
  const order: string[] = [];
  const signing: Promise<unknown>[] = [];
  await keys.open(batch, password, {
    onOpened: (done) => {
      if (done === 1) signing.push(keys.sign(ids[0] ?? '', payload).then(() => order.push('signed')));
      order.push(`${done}`);
    },
  });
  await Promise.all(signing);
  expect(order.indexOf('signed')).toBeLessThan(order.indexOf('3'));
});

it('many accounts that are opened at once are all answered', async () => {
  const { keys } = open();
  const answers = await Promise.allSettled([
    ...Array.from({ length: 4 }, () => keys.open(batch, password)),
    keys.open(batch, 'wrong'),
    keys.open('{', password),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([
    ...Array(4).fill('fulfilled'),
    'rejected',
    'rejected',
  ]);
});

it('a file that does not fit into the address book is refused, and nothing is held or stored', async () => {
  const { keys, signers } = open();
  for (let at = 0; at < 198; at++) signers.name('', `0x${at.toString(16).padStart(64, '0')}`);
  const before = localStorage.getItem('tabnode.accounts');
  await expect(signers.open(batch, password, { keeps: false })).rejects.toThrow(
    'The address book has 198 accounts and takes 200, so 3 more do not fit. Remove some.',
  );
  expect(keys.held.all.size).toBe(0);
  await expect(keys.sign(ids[0] ?? '', payload)).rejects.toThrow('locked');
  expect(localStorage.getItem('tabnode.accounts')).toBe(before);
});
