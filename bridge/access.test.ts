import { describe, expect, it } from 'vitest';
import { createAdmission, isAllowedHost, isAllowedOrigin, rateOf } from './access.ts';
import { parseCors, toRpcSettings } from './rpc-settings.ts';

const cors = parseCors(undefined, false);

describe('Host', () => {
  it.each(['localhost', 'localhost:9944', '127.0.0.1:9933', '[::1]:9944', 'LOCALHOST:1'])(
    'admits %s',
    (host) => {
      expect(isAllowedHost(host, cors)).toBe(true);
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
    expect(isAllowedHost(host, cors)).toBe(false);
  });
});

describe('Origin', () => {
  it.each([undefined, 'http://localhost:3000', 'https://127.0.0.1:5199', 'https://polkadot.js.org'])(
    'admits %s',
    (origin) => {
      expect(isAllowedOrigin(origin, cors)).toBe(true);
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
    expect(isAllowedOrigin(origin, cors)).toBe(false);
  });
});

describe('--rpc-cors', () => {
  it('all admits every origin and every host', () => {
    for (const all of [parseCors('all', false), parseCors('*', false), parseCors(undefined, true)]) {
      expect(isAllowedOrigin('http://evil.example', all)).toBe(true);
      expect(isAllowedHost('evil.example', all)).toBe(true);
    }
  });

  it('none admits programs only', () => {
    const none = parseCors('none', true);
    expect(isAllowedOrigin(undefined, none)).toBe(true);
    expect(isAllowedOrigin('https://polkadot.js.org', none)).toBe(false);
  });

  it('takes a list, in which a port may be any', () => {
    const list = parseCors('https://a.example, http://b.example:*', false);
    expect(isAllowedOrigin('https://a.example', list)).toBe(true);
    expect(isAllowedOrigin('https://a.example:444', list)).toBe(false);
    expect(isAllowedOrigin('http://b.example:8080', list)).toBe(true);
    expect(isAllowedOrigin('http://b.example.evil', list)).toBe(false);
    expect(isAllowedOrigin('http://b.example:80.evil', list)).toBe(false);
  });
});

describe('a rate limit', () => {
  const asking = (remoteAddress: string, headers: Record<string, string> = {}) =>
    ({ headers, socket: { remoteAddress } }) as unknown as Parameters<typeof rateOf>[0];
  const { rate } = toRpcSettings(
    {
      'rpc-rate-limit': '7',
      'rpc-rate-limit-whitelisted-ips': ['10.0.0.0/8,::1', '192.0.2.1'],
      'rpc-rate-limit-trust-proxy-headers': true,
    },
    false,
  );

  it('spares the listed addresses and networks', () => {
    expect(rateOf(asking('10.9.8.7'), rate)).toBeNull();
    expect(rateOf(asking('::ffff:10.9.8.7'), rate)).toBeNull();
    expect(rateOf(asking('::1'), rate)).toBeNull();
    expect(rateOf(asking('192.0.2.2'), rate)).toBe(7);
    expect(rateOf(asking('192.0.2.2'), toRpcSettings({}, false).rate)).toBeNull();
  });

  it('believes a proxy only when told to', () => {
    for (const headers of [
      { 'x-forwarded-for': '192.0.2.1, 127.0.0.1' },
      { 'x-real-ip': '192.0.2.1' },
      { forwarded: 'for=192.0.2.1;proto=http' },
    ] as Record<string, string>[]) {
      expect(rateOf(asking('127.0.0.1', headers), rate)).toBeNull();
      expect(rateOf(asking('127.0.0.1', headers), { ...rate, trustProxy: false })).toBe(7);
    }
  });
});

it('admits as many as there are places', () => {
  const admission = createAdmission(1);
  const leave = admission.enter();
  expect(admission.enter()).toBeNull();
  leave?.();
  leave?.();
  expect(admission.enter()).not.toBeNull();
  expect(admission.enter()).toBeNull();
});
