import { describe, expect, it } from 'vitest';
import { isAllowedHost, isAllowedOrigin } from './access.ts';

describe('Host', () => {
  it.each(['localhost', 'localhost:9944', '127.0.0.1:9933', '[::1]:9944', 'LOCALHOST:1'])(
    'admits %s',
    (host) => {
      expect(isAllowedHost(host)).toBe(true);
    },
  );

  // A page that re-binds its own name to 127.0.0.1 still sends that name.
  it.each([
    undefined,
    '',
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example:9944',
    'evil.example:9944',
  ])('refuses %s', (host) => {
    expect(isAllowedHost(host)).toBe(false);
  });
});

describe('Origin', () => {
  it.each([undefined, 'http://localhost:3000', 'https://127.0.0.1:5199', 'https://polkadot.js.org'])(
    'admits %s',
    (origin) => {
      expect(isAllowedOrigin(origin)).toBe(true);
    },
  );

  it.each([
    'null',
    'http://evil.example',
    'http://polkadot.js.org',
    'https://polkadot.js.org.evil.example',
    'http://localhost.evil.example',
    'file://localhost',
  ])('refuses %s', (origin) => {
    expect(isAllowedOrigin(origin)).toBe(false);
  });
});
