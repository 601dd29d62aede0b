import { expect, test } from 'vitest';
import { toDialable } from './dialable.ts';

const id = '12D3KooWDpJ7As7BWAwRMfu1VU2WCqNjvq387JEYKDBj4kx6nXTN';

test.each([
  ['/ip4/127.0.0.1/tcp/30333/ws', { kind: 'ws', url: 'ws://127.0.0.1:30333/', peer: null }],
  [`/ip4/1.2.3.4/tcp/443/wss/p2p/${id}`, { kind: 'ws', url: 'wss://1.2.3.4:443/', peer: id }],
  [`/dns/boot.example/tcp/443/tls/ws/p2p/${id}`, { kind: 'ws', url: 'wss://boot.example:443/', peer: id }],
  ['/dns4/boot.example/tcp/443/x-parity-wss/%2F', { kind: 'ws', url: 'wss://boot.example:443/', peer: null }],
  ['/ip6/::1/tcp/30333/ws', { kind: 'ws', url: 'ws://[::1]:30333/', peer: null }],
  [`/ip4/1.2.3.4/tcp/30333/p2p/${id}`, { kind: 'tcp', host: '1.2.3.4', port: 30_333, peer: id }],
  ['/ip6/fd00::2/tcp/1', { kind: 'tcp', host: 'fd00::2', port: 1, peer: null }],
  ['/ip4/1.2.3.4/tcp/0', null],
  ['/ip4/1.2.3.4/udp/30333/quic-v1', null],
  ['/ip4/1.2.3.4/udp/30333/webrtc-direct', null],
  [`/p2p/${id}`, null],
  ['ws://127.0.0.1:9944', null],
  ['', null],
])('%s', (address, expected) => {
  expect(toDialable(address)).toEqual(expected);
});
