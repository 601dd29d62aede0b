import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createPairing, loadBridgeKey } from './pairing.ts';

const key = new Uint8Array(32).fill(1);
const address = () => 'ws://127.0.0.1:9944';

it('has one code at a time, valid for ten minutes', () => {
  let now = 0;
  const pairing = createPairing(key, address, () => now);
  expect(pairing.secretOf('code', 'http://a')).toBe(null);
  const first = pairing.newCode();
  const second = pairing.newCode();
  expect(first).not.toBe(second);
  expect(pairing.secretOf('code', 'http://a')).toBe(second);
  now = 600_000;
  expect(pairing.secretOf('code', 'http://a')).toBe(null);
});

it('derives a token for each key, address and origin', () => {
  const tokens = [
    createPairing(key, address).tokenOf('http://a'),
    createPairing(key, address).tokenOf('http://b'),
    createPairing(key, () => 'ws://127.0.0.1:9945').tokenOf('http://a'),
    createPairing(new Uint8Array(32).fill(2), address).tokenOf('http://a'),
  ];
  expect(new Set(tokens).size).toBe(4);
  expect(createPairing(key, address).tokenOf('http://a')).toBe(tokens[0]);
});

it('stores its key in a file for its user only, replaces a damaged file, and works without one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tabnode-key-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'bridge-key');
  const first = await loadBridgeKey(path);
  expect(first.isKept).toBe(true);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await loadBridgeKey(path)).key).toEqual(first.key);
  await writeFile(path, 'cut');
  const second = await loadBridgeKey(path);
  expect(second.key).not.toEqual(first.key);
  expect(new Uint8Array(await readFile(path))).toEqual(second.key);
  expect((await loadBridgeKey(join(folder, 'no', 'folder'))).isKept).toBe(false);
});
