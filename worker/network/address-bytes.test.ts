import { multiaddr } from '@multiformats/multiaddr';
import { expect, test } from 'vitest';
import { encodeAddress } from './address-bytes.ts';

test.each([
  '/ip4/127.0.0.1/tcp/30333',
  '/ip4/255.0.1.2/tcp/65535/ws',
  '/ip6/::1/tcp/1/ws',
  '/ip6/fe80::1:0:0:2/tcp/256',
  '/ip6/::ffff:1.2.3.4/tcp/80/wss',
  '/ip6/1:2:3:4:5:6:7:8/tcp/80',
  '/dns/node.example/tcp/443/wss',
  '/dns4/node.example/tcp/443/tls/ws',
  '/dns6/node.example/tcp/30333',
])('%s has the bytes that another implementation gives it', (text) => {
  expect(encodeAddress(text)).toEqual(Uint8Array.from(multiaddr(text).bytes));
  const id = '12D3KooWEyoppNCUx8Yx66oV9fJnriXwCcXwDDUA2kj6vnc6iDEp';
  expect(encodeAddress(`${text}/p2p/${id}`)).toEqual(encodeAddress(text));
});

test('an address of the older form for WebSockets is one of the newer', () => {
  expect(encodeAddress('/ip4/1.2.3.4/tcp/5/x-parity-ws/%2F')).toEqual(encodeAddress('/ip4/1.2.3.4/tcp/5/ws'));
});

test.each([
  '',
  '/',
  'ip4',
  '/ip4/1.2.3.4/udp/5/quic',
  '/ip4/1.2.3/tcp/5',
  '/p2p/12D3KooWEyoppNCUx8Yx66oV9fJnriXwCcXwDDUA2kj6vnc6iDEp',
])('%s cannot be dialled', (text) => expect(encodeAddress(text)).toBeNull());
