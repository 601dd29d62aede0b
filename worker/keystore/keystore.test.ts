import { describe, expect, it, vi } from 'vitest';
import { maxDerivedSecrets } from '../../src/protocol/limits.ts';
import { bytesToHex } from '../bytes/hex.ts';
import { loadCrypto } from '../crypto/crypto.ts';
import { createMemoryDatabase } from '../db/memory.ts';
import type { KeyScheme } from '../executor/extensions.ts';
import { createKeystore, nodeKeyType } from './keystore.ts';

const crypto = await loadCrypto();
const { suriToPair } = crypto;
const message = Uint8Array.of(1, 2, 3);
const schemes: readonly KeyScheme[] = ['sr25519', 'ed25519', 'ecdsa'];

describe('keystore', () => {
  it.each(schemes)('inserts, lists and signs with %s', (scheme) => {
    const keystore = createKeystore({ crypto, db: null });
    const publicKey = keystore.insertSuri('babe', scheme, '//Alice');
    expect(publicKey).toEqual(suriToPair('//Alice', scheme).publicKey);
    expect(keystore.publicKeys('babe', scheme)).toEqual([publicKey]);
    expect(keystore.publicKeys('gran', scheme)).toEqual([]);
    expect(keystore.has('babe', publicKey)).toBe(true);
    expect(keystore.has('gran', publicKey)).toBe(false);
    const signature = keystore.sign('babe', scheme, publicKey, message) as Uint8Array;
    if (scheme === 'sr25519') expect(crypto.sr25519Verify(signature, message, publicKey)).toBe(true);
    else if (scheme === 'ed25519') expect(crypto.ed25519Verify(signature, message, publicKey)).toBe(true);
    else
      expect(
        crypto.ecdsaRecover(signature, crypto.blake2b256(message), { compressed: true, strict: true }),
      ).toEqual({ ok: true, publicKey });
    expect(keystore.sign('gran', scheme, publicKey, message)).toBeNull();
  });

  it('caches only the secrets derived last', () => {
    const pair = suriToPair('//Alice', 'sr25519');
    const derived = vi.fn((_suri: string, _scheme: KeyScheme) => pair);
    const keystore = createKeystore({ crypto: { ...crypto, suriToPair: derived }, db: null });
    for (let index = 0; index <= maxDerivedSecrets; index++)
      keystore.insertSuri('babe', 'sr25519', `//${index}`);
    expect(derived).toHaveBeenCalledTimes(maxDerivedSecrets + 1);
    keystore.insertSuri('gran', 'sr25519', `//${maxDerivedSecrets}`);
    expect(derived).toHaveBeenCalledTimes(maxDerivedSecrets + 1);
    keystore.insertSuri('gran', 'sr25519', '//0');
    expect(derived).toHaveBeenCalledTimes(maxDerivedSecrets + 2);
  });

  it('derives a later key on the first use, and does not store it', async () => {
    const db = createMemoryDatabase();
    const derived = vi.fn(suriToPair);
    const keystore = createKeystore({ crypto: { ...crypto, suriToPair: derived }, db });
    await keystore.load();
    keystore.insertLater('babe', 'sr25519', '//Alice');
    expect(derived).not.toHaveBeenCalled();
    const { publicKey } = suriToPair('//Alice', 'sr25519');
    expect(keystore.has('babe', publicKey)).toBe(true);
    expect(derived).toHaveBeenCalledTimes(1);
    await keystore.retain([]);
    expect(keystore.list()).toEqual([{ keyType: 'babe', scheme: 'sr25519', publicKey }]);
    await keystore.flush();
    expect(await db.range('keystore')).toEqual([]);
  });

  it('lists keys that are derived on first use before keys that a call generates later', async () => {
    const keystore = createKeystore({ crypto, db: null });
    keystore.insertLater('gran', 'ed25519', '//Alice');
    const attempt = keystore.attempt();
    const made = attempt.host.generate('gran', 'ed25519', null);
    await attempt.apply();
    const { publicKey } = suriToPair('//Alice', 'ed25519');
    expect(keystore.pairs('gran').map((pair) => pair.publicKey)).toEqual([publicKey, made]);
  });

  it('keeps the network key, by which peers know the node, when a snapshot without it is restored', async () => {
    const keystore = createKeystore({ crypto, db: createMemoryDatabase() });
    await keystore.load();
    const network = keystore.generate(nodeKeyType, 'ed25519', null);
    keystore.generate('gran', 'ed25519', null);
    await keystore.retain([]);
    expect(keystore.list().map(({ publicKey }) => publicKey)).toEqual([network]);
  });

  it('refuses a key under another scheme', () => {
    const keystore = createKeystore({ crypto, db: null });
    const publicKey = keystore.insertSuri('babe', 'sr25519', '//Alice');
    expect(keystore.sign('babe', 'ed25519', publicKey, message)).toBeNull();
    expect(keystore.publicKeys('babe', 'ed25519')).toEqual([]);
  });

  it('stores a URI under a public key that does not match, and never signs with it', async () => {
    const db = createMemoryDatabase();
    const keystore = createKeystore({ crypto, db });
    const bob = suriToPair('//Bob', 'sr25519').publicKey;
    await keystore.insert('babe', '//Alice', bob);
    for (const store of [keystore, createKeystore({ crypto, db })]) {
      await store.flush();
      await store.load();
      expect(store.has('babe', bob)).toBe(true);
      expect(store.publicKeys('babe', 'sr25519')).toEqual([bob]);
      expect(store.pairs('babe')).toEqual([]);
      expect(store.sign('babe', 'sr25519', bob, message)).toBeNull();
    }
  });

  it('finds the scheme of an inserted key', async () => {
    const keystore = createKeystore({ crypto, db: null });
    for (const scheme of schemes)
      await keystore.insert('dumy', '//Alice', suriToPair('//Alice', scheme).publicKey);
    expect(keystore.pairs('dumy').map(({ scheme }) => scheme)).toEqual(schemes);
  });

  it('generates from a URI or at random', () => {
    const keystore = createKeystore({ crypto, db: null, random: (length) => new Uint8Array(length).fill(7) });
    expect(keystore.generate('babe', 'sr25519', '//Alice')).toEqual(
      suriToPair('//Alice', 'sr25519').publicKey,
    );
    const seed = bytesToHex(new Uint8Array(32).fill(7));
    expect(keystore.generate('gran', 'ed25519', null)).toEqual(suriToPair(seed, 'ed25519').publicKey);
    const free = createKeystore({ crypto, db: null });
    expect(free.generate('babe', 'sr25519', null)).not.toEqual(free.generate('babe', 'sr25519', null));
    expect(free.pairs('babe').length).toBe(2);
  });

  it('keeps the keys generated by an attempt only when it is applied', async () => {
    const keystore = createKeystore({ crypto, db: null });
    const old = keystore.insertSuri('babe', 'sr25519', '//Alice');
    const dropped = keystore.attempt();
    dropped.host.generate('babe', 'sr25519', null);
    const attempt = keystore.attempt();
    const made = attempt.host.generate('babe', 'sr25519', null);
    expect(attempt.host.publicKeys('babe', 'sr25519')).toEqual([old, made]);
    for (const key of [old, made])
      expect(
        crypto.sr25519Verify(attempt.host.sign('babe', 'sr25519', key, message) as Uint8Array, message, key),
      ).toBe(true);
    expect(keystore.publicKeys('babe', 'sr25519')).toEqual([old]);
    await attempt.apply();
    expect(keystore.publicKeys('babe', 'sr25519')).toEqual([old, made]);
  });

  it('survives a restart', async () => {
    const db = createMemoryDatabase();
    const first = createKeystore({ crypto, db });
    first.insertSuri('babe', 'sr25519', '//Alice//stash///secret');
    // A soft derivation picks a new signing nonce each time, but the key is the same.
    const soft = first.insertSuri('acco', 'sr25519', '//Alice/soft');
    first.insertSuri('gran', 'ed25519', '//Alice');
    first.insertSuri('beef', 'ecdsa', '//Alice');
    await first.flush();
    const second = createKeystore({ crypto, db });
    await second.load();
    for (const keyType of ['babe', 'gran', 'beef'])
      expect(second.pairs(keyType)).toEqual(first.pairs(keyType));
    expect(second.publicKeys('acco', 'sr25519')).toEqual([soft]);
    const signature = second.sign('acco', 'sr25519', soft, message) as Uint8Array;
    expect(crypto.sr25519Verify(signature, message, soft)).toBe(true);
  });

  it('writes each key once', async () => {
    const db = createMemoryDatabase();
    const write = vi.spyOn(db, 'write');
    for (let i = 0; i < 2; i++) {
      const keystore = createKeystore({ crypto, db });
      await keystore.load();
      keystore.insertSuri('babe', 'sr25519', '//Alice');
      keystore.insertSuri('babe', 'sr25519', '//Alice');
      await keystore.insert('babe', '//Alice', suriToPair('//Alice', 'sr25519').publicKey);
      await keystore.flush();
    }
    expect(write).toHaveBeenCalledOnce();
  });

  it('stores a text that is not a URI, like a native node', async () => {
    const keystore = createKeystore({ crypto, db: null });
    const { publicKey } = suriToPair('//Alice', 'sr25519');
    await keystore.insert('babe', 'not a phrase', publicKey);
    expect(keystore.has('babe', publicKey)).toBe(true);
    expect(keystore.pairs('babe')).toEqual([]);
  });

  it('returns copies', () => {
    const keystore = createKeystore({ crypto, db: null });
    const publicKey = keystore.insertSuri('babe', 'sr25519', '//Alice');
    const [pair] = keystore.pairs('babe');
    pair?.secret.fill(0);
    pair?.publicKey.fill(0);
    const { seed: _, ...wanted } = suriToPair('//Alice', 'sr25519');
    expect(keystore.pairs('babe')).toEqual([wanted]);
    expect(keystore.has('babe', publicKey)).toBe(true);
  });

  it('reports a failed write on flush, and refuses bad input', async () => {
    const db = createMemoryDatabase();
    const keystore = createKeystore({ crypto, db });
    await db.close();
    keystore.insertSuri('babe', 'sr25519', '//Alice');
    await expect(keystore.flush()).rejects.toMatchObject({ code: 'StorageBroken' });
    expect(() => keystore.insertSuri('babes', 'sr25519', '//Alice')).toThrow();
    expect(() => keystore.insertSuri('babe', 'sr25519', 'not a phrase at all')).toThrow();
  });
});
