import { describe, expect, it } from 'vitest';
import { parseCors, toRpcSettings } from '../cli/rpc-settings.ts';
import { admitPage, createAdmission, isAllowedHost, rateOf, requestDialect, targetOf } from './access.ts';

const cors = parseCors(undefined);

describe('Host', () => {
  it.each(['localhost', 'localhost:9944', '127.0.0.1:9933', '[::1]:65535', 'LOCALHOST:1'])(
    'admits %s',
    (host) => {
      expect(isAllowedHost(host, cors)).toBe(true);
    },
  );

  // A page that uses DNS rebinding to reach 127.0.0.1 still sends its own host name.
  it.each([
    undefined,
    '',
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example:9944',
    'evil.example:9944',
    'localhost:65536',
    '[::1]:99999',
  ])('refuses %s', (host) => {
    expect(isAllowedHost(host, cors)).toBe(false);
  });
});

it('checks Host and Origin, and gives the reason for a refusal', () => {
  const ask = (headers: Record<string, string>, hosts = ['localhost']) =>
    admitPage({ headers: { host: 'localhost', ...headers }, headersDistinct: { host: hosts } }, cors);
  expect(ask({})).toBe('own');
  expect(ask({ origin: 'http://localhost:3000' })).toBe('own');
  expect(ask({ origin: 'https://polkadot.js.org' })).toBe('guest');
  expect(ask({ host: 'evil.example' })).toMatchObject({ status: 403 });
  expect(ask({}, ['localhost', 'evil.example'])).toMatchObject({ status: 400 });
  for (const origin of ['https://evil.example', 'null'])
    expect(ask({ origin })).toMatchObject({
      status: 403,
      text: expect.stringMatching(`^Pages of ${origin} may not call this node. .*--rpc-cors all`),
    });
});

describe('request target', () => {
  it.each([
    ['/', '/', null],
    ['/health?x=1', '/health', null],
    ['/?dialect=psp-6&x=?', '/', 'psp-6'],
    ['http://localhost:1/health', '/health', null],
    ['http://', '/', null],
    ['//', '//', null],
    ['///', '///', null],
    ['/\\', '/\\', null],
    ['//[', '//[', null],
    ['//[?dialect=%zz', '//[', '%zz'],
    ['', '/', null],
  ])('of %j has the path %j and the dialect %j', (url, path, dialect) => {
    const target = targetOf({ url });
    expect([target.path, target.query.get('dialect')]).toEqual([path, dialect]);
  });

  it('selects a dialect, if it exists', () => {
    const ask = (url: string) => requestDialect({ url } as Parameters<typeof requestDialect>[0], 'psp-6');
    expect(ask('//[')).toBe('psp-6');
    expect(ask('/?dialect=polkadot-sdk')).toBe('polkadot-sdk');
    expect(ask('/?dialect=no')).toMatchObject({ status: 400 });
  });
});

describe('rate limit', () => {
  const asking = (remoteAddress: string, headers: Record<string, string> = {}) =>
    ({ headers, socket: { remoteAddress } }) as unknown as Parameters<typeof rateOf>[0];
  const { rate } = toRpcSettings(
    {
      'rpc-rate-limit': '7',
      'rpc-rate-limit-whitelisted-ips': ['10.0.0.0/8,::1', '192.0.2.1'],
      'rpc-rate-limit-trust-proxy-headers': true,
    },
    'psp-6',
  );

  it('does not apply to the listed addresses and networks', () => {
    expect(rateOf(asking('10.9.8.7'), rate)).toBeNull();
    expect(rateOf(asking('::ffff:10.9.8.7'), rate)).toBeNull();
    expect(rateOf(asking('::1'), rate)).toBeNull();
    expect(rateOf(asking('192.0.2.2'), rate)).toBe(7);
    expect(rateOf(asking('192.0.2.2'), toRpcSettings({}, 'psp-6').rate)).toBeNull();
  });

  it('trusts a proxy only if configured', () => {
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

it('admits up to the limit', () => {
  const admission = createAdmission(1);
  const leave = admission.enter();
  expect(admission.enter()).toBeNull();
  leave?.();
  leave?.();
  expect(admission.enter()).not.toBeNull();
  expect(admission.enter()).toBeNull();
});
