import { readFile } from 'node:fs/promises';
import { getPublicKey, secretFromSeed } from '@scure/sr25519';
import { describe, expect, test } from 'vitest';
import { bytesToHex } from '../bytes/hex.ts';
import type { Core } from './core.ts';
import { createCore } from './core.ts';
import { createCrypto } from './crypto.ts';
import { createEcdsa } from './ecdsa.ts';
import { createEd25519 } from './ed25519.ts';
import { createKeys } from './keys.ts';
import { createSr25519 } from './sr25519.ts';
import { createVrf } from './vrf.ts';

const wasm = await WebAssembly.compile(
  new Uint8Array(await readFile(new URL('./crypto-core.wasm', import.meta.url))),
);
const fixed = (length: number): Uint8Array => new Uint8Array(length).fill(0xa5);
const secret = secretFromSeed(new Uint8Array(32).fill(0x31));
const seed = new Uint8Array(32).fill(0x5c);
const message = Uint8Array.of(1, 2, 3);

const inputOf = (core: Core): string =>
  bytesToHex(new Uint8Array(core.calls.memory.buffer, core.calls.input_ptr(), 256));

describe('secrets are erased from the argument bytes', () => {
  const random = fixed;
  const uses: Record<string, (core: Core) => unknown> = {
    'sr25519 sign': (core) => createSr25519({ core, random }).sr25519Sign(secret, message),
    'sr25519 sign, refused': (core) => {
      expect(() => createSr25519({ core, random }).sr25519Sign(fixed(64).fill(255), message)).toThrow();
    },
    'VRF sign': (core) => createVrf({ core, random }).sr25519VrfSign(secret, { label: 'x', items: [] }),
    'ed25519 sign': (core) => createEd25519(core).ed25519Sign(seed, message),
    'ecdsa sign': (core) => createEcdsa(core).ecdsaSign(seed, fixed(32)),
  };
  test.each(Object.entries(uses))('%s', (_, use) => {
    const core = createCore(wasm);
    use(core);
    const left = inputOf(core);
    expect(left).not.toContain('5c5c5c5c');
    expect(left).not.toContain('a5a5a5a5');
    expect(left).not.toContain('ffffffff');
    expect(left).not.toContain(bytesToHex(secret.slice(0, 8)).slice(2));
  });
  test.each([
    ['sr25519', ''],
    ['sr25519', '//hard'],
    ['sr25519', '/soft'],
    ['ed25519', '//hard'],
    ['ecdsa', '//hard'],
  ] as const)('derivation of %s "%s", and from the result', (scheme, path) => {
    const core = createCore(wasm);
    const pair = createKeys({ core, random: fixed }).suriToPair(`${bytesToHex(seed)}${path}`, scheme);
    const answer = bytesToHex(new Uint8Array(core.calls.memory.buffer, core.calls.output_ptr(), 256));
    for (const left of [inputOf(core), answer]) {
      expect(left).not.toContain('5c5c5c5c');
      expect(left).not.toContain('a5a5a5a5');
      expect(left).not.toContain(bytesToHex(pair.secret.slice(0, 8)).slice(2));
      expect(left).not.toContain(bytesToHex(pair.secret.slice(-8)).slice(2));
    }
  });
  test('canary: they are present during a call', () => {
    const core = createCore(wasm);
    core.put(seed);
    expect(inputOf(core)).toContain('5c5c5c5c');
  });
});

test('randomness comes only from the option: the same bytes give the same signature', () => {
  const [one, other] = [createCrypto(wasm, { random: fixed }), createCrypto(wasm, { random: fixed })];
  expect(one.sr25519Sign(secret, message)).toEqual(other.sr25519Sign(secret, message));
  const transcript = { label: 'x', items: [] };
  expect(one.sr25519VrfSign(secret, transcript)).toEqual(other.sr25519VrfSign(secret, transcript));
  expect(
    createCrypto(wasm).sr25519Verify(one.sr25519Sign(secret, message), message, getPublicKey(secret)),
  ).toBe(true);
});

test('two instances do not share memory', () => {
  const [one, other] = [createCore(wasm), createCore(wasm)];
  one.put(seed);
  expect(inputOf(other)).not.toContain('5c5c');
});
