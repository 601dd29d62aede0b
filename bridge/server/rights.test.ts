import { describe, expect, it } from 'vitest';
import { stricter } from '../../src/protocol/deny-unsafe.ts';
import type { DenyUnsafe, Dialect } from '../../src/protocol/node.ts';
import { parseCors, type RpcValues, toRpcSettings } from '../cli/rpc-settings.ts';
import { deniedTo, pageOf } from './access.ts';

describe('the trust level of a page', () => {
  const cors = parseCors(undefined);

  const pages = {
    own: [
      undefined,
      'http://localhost:3000',
      'https://127.0.0.1:5199',
      'http://[::1]:8080',
      'http://localhost',
    ],
    guest: [
      'https://polkadot.js.org',
      'https://dev.papi.how',
      'chrome-extension://mopnmbcafieddcagagdcbnhejhlodfdd',
      'moz-extension://0b2d5f4e-7e1b-4c39-9f0e-0a3a0e7a1f11',
    ],
    foreign: [
      'null',
      '',
      'http://evil.example',
      'http://polkadot.js.org',
      'https://polkadot.js.org.evil.example',
      'http://localhost.evil.example',
      'https://evil.example/chrome-extension://x',
      'file://localhost',
    ],
  } as const;

  for (const [whose, origins] of Object.entries(pages))
    it.each(origins)(`%s is ${whose}`, (origin) => {
      expect(pageOf(origin, cors)).toBe(whose);
    });

  it('--rpc-cors all trusts every page as own', () => {
    for (const text of ['all', '*', 'https://a.example,all'])
      expect(pageOf('http://evil.example', parseCors(text))).toBe('own');
  });

  it('--rpc-cors none admits no pages, only programs', () => {
    const none = parseCors('none');
    expect(pageOf(undefined, none)).toBe('own');
    for (const origin of ['https://polkadot.js.org', 'http://localhost'])
      expect(pageOf(origin, none)).toBe('foreign');
  });

  it('--rpc-cors takes a list, in which * stands for any port', () => {
    const list = parseCors('https://a.example, http://b.example:*,https://polkadot.js.org');
    for (const origin of ['https://a.example', 'http://b.example:8080', 'https://polkadot.js.org'])
      expect(pageOf(origin, list)).toBe('own');
    for (const origin of ['https://a.example:444', 'http://b.example.evil', 'http://b.example:80.evil'])
      expect(pageOf(origin, list)).toBe('foreign');
  });
});

it('of two settings, the stricter one applies', () => {
  const all: readonly DenyUnsafe[] = [false, 'psp-6', 'polkadot-sdk', true];
  const marked = (denyUnsafe: DenyUnsafe): readonly Dialect[] =>
    (['psp-6', 'polkadot-sdk'] as const).filter((one) => denyUnsafe === true || denyUnsafe === one);
  for (const one of all)
    for (const other of all)
      expect(marked(stricter(one, other))).toEqual(
        (['psp-6', 'polkadot-sdk'] as const).filter((dialect) =>
          [...marked(one), ...marked(other)].includes(dialect),
        ),
      );
});

/**
 * What programs and guests are denied, by listener and kind of request: [ws on ws, http on ws, ws on http,
 * http on http].
 */
describe('denied calls by flags', () => {
  type Four = readonly [DenyUnsafe, DenyUnsafe, DenyUnsafe, DenyUnsafe];
  const open: Four = [false, false, false, false];
  const shut: Four = [true, true, true, true];
  const psp6: Four = ['psp-6', 'psp-6', 'psp-6', 'psp-6'];
  const sdk: Four = ['polkadot-sdk', 'polkadot-sdk', 'polkadot-sdk', 'polkadot-sdk'];

  it.each<[RpcValues, Dialect, programs: Four, guests: Four]>([
    [{}, 'psp-6', open, sdk],
    [{}, 'polkadot-sdk', open, sdk],
    [{ 'rpc-methods': 'safe' }, 'psp-6', psp6, shut],
    [{ 'rpc-methods': 'safe' }, 'polkadot-sdk', sdk, sdk],
    [{ 'rpc-methods': 'unsafe', 'rpc-external': true, 'ws-external': true }, 'psp-6', open, sdk],
    [{ 'rpc-external': true, 'ws-external': true }, 'psp-6', shut, shut],
    [{ 'rpc-external': true, 'ws-external': true }, 'polkadot-sdk', shut, shut],
    [{ 'rpc-external': true, 'ws-external': true, 'rpc-methods': 'safe' }, 'polkadot-sdk', shut, shut],
    [{ 'unsafe-rpc-external': true, 'unsafe-ws-external': true }, 'polkadot-sdk', shut, shut],
    [{ 'ws-external': true }, 'psp-6', [true, true, true, false], [true, true, true, 'polkadot-sdk']],
    [{ 'rpc-external': true }, 'psp-6', [false, true, true, true], ['polkadot-sdk', true, true, true]],
  ])('%j --dialect %s', (values, dialect, programs, guests) => {
    const { ws, http } = toRpcSettings(values, dialect);
    const pairs = [
      [ws, ws],
      [ws, http],
      [http, ws],
      [http, http],
    ] as const;
    expect(pairs.map(([listener, kind]) => deniedTo('own', listener, kind))).toEqual(programs);
    expect(pairs.map(([listener, kind]) => deniedTo('guest', listener, kind))).toEqual(guests);
  });
});
