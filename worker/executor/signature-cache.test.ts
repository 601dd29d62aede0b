import { expect, test } from 'vitest';
import { createSignatureCache } from './signature-cache.ts';

const bytes = (fill: number, length = 64) => new Uint8Array(length).fill(fill);

test('remembers exactly what was added, up to its limit', () => {
  const cache = createSignatureCache({ limit: 2 });
  cache.add('sr25519', bytes(1), bytes(2, 5), bytes(3, 32));
  expect(cache.has('sr25519', bytes(1), bytes(2, 5), bytes(3, 32))).toBe(true);
  expect(cache.has('ed25519', bytes(1), bytes(2, 5), bytes(3, 32))).toBe(false);
  expect(cache.has('sr25519', bytes(1), bytes(2, 4), bytes(3, 32))).toBe(false);
  expect(cache.has('sr25519', bytes(1), bytes(2, 5), bytes(4, 32))).toBe(false);
  cache.add('sr25519', bytes(4), bytes(2, 5), bytes(3, 32));
  cache.add('sr25519', bytes(5), bytes(2, 5), bytes(3, 32));
  expect(cache.size).toBe(2);
  expect(cache.has('sr25519', bytes(1), bytes(2, 5), bytes(3, 32))).toBe(false);
});
