import { expect, it } from 'vitest';
import { isOfThisComputer, listenAddressesFor, pickForPages, readNodeAddresses } from './node-addresses.ts';

const id = '12D3KooWDpJ7As7BWAwRMfu1VU2WCqNjvq387JEYKDBj4kx6nXTN';
const at = (place: string) => `${place}/p2p/${id}`;

it('reads addresses that are separated by spaces, commas or lines, each once', () => {
  const [a, b] = [at('/ip4/1.2.3.4/tcp/30333/ws'), at('/dns/boot.example/tcp/443/wss')];
  expect(readNodeAddresses(` ${a},${b}\n${a} `)).toEqual([a, b]);
  expect(readNodeAddresses(' \n')).toEqual([]);
});

it.each([
  ['ws://127.0.0.1:9944', 'is not the address of a node. Write one such as /dns/'],
  [`/ip4/1.2.3.4/tcp/30333/ws/p2p/12D3`, 'is not the address of a node'],
  [at('/ip4/1.2.3.4/tcp/30333/ws').concat('x'.repeat(9)), 'xxxxxxxxx” is not the address of a node'],
  ['x'.repeat(200), 'x…” is not the address of a node'],
  ['/ip4/1.2.3.4/tcp/30333/ws', 'does not say which node it is of. Add /p2p/'],
])('refuses %s', (typed, text) => {
  expect(() => readNodeAddresses(typed)).toThrow(text);
});

it('picks what a page can dial, and says why nothing is', () => {
  const [tcp, ws, wss] = ['', '/ws', '/wss'].map((end) => at(`/ip4/1.2.3.4/tcp/30333${end}`));
  const local = at('/ip4/127.0.0.1/tcp/30333/ws');
  const all = [tcp, ws, wss, local] as string[];
  expect(pickForPages(all, { protocol: 'http:' })).toEqual([ws, wss, local]);
  expect(pickForPages(all, { protocol: 'https:' })).toEqual([wss, local]);
  expect(() => pickForPages([tcp as string], { protocol: 'http:' })).toThrow(
    'none of these addresses has /ws',
  );
  expect(() => pickForPages([ws as string], { protocol: 'https:' })).toThrow('addresses with /wss');
  expect(pickForPages([], { protocol: 'https:' })).toEqual([]);
});

it('dials a node that listens everywhere at the host of its JSON-RPC', () => {
  const listened = [at('/ip4/0.0.0.0/tcp/1/ws'), at('/ip6/::/tcp/1/ws')];
  expect(listenAddressesFor(listened, 'wss://node.example:9944/')).toEqual([
    at('/dns/node.example/tcp/1/ws'),
  ]);
  expect(listenAddressesFor(listened, 'ws://[fd00::2]:9944/')).toEqual([at('/ip6/fd00::2/tcp/1/ws')]);
  expect(listenAddressesFor(listened, 'ws://10.0.0.2/')).toEqual([at('/ip4/10.0.0.2/tcp/1/ws')]);
});

it('leaves out what is of the computer of another node', () => {
  const [local, lan] = [at('/ip4/127.0.0.1/tcp/1/ws'), at('/ip4/10.0.0.2/tcp/1/ws')];
  expect(listenAddressesFor([local, lan], 'ws://10.0.0.2:9944/')).toEqual([lan]);
  expect(listenAddressesFor([lan, local], 'ws://127.0.0.1:9944/')).toEqual([local, lan]);
  expect(listenAddressesFor([local], 'ws://10.0.0.2:9944/')).toEqual([local]);
  expect([
    isOfThisComputer(local),
    isOfThisComputer(lan),
    isOfThisComputer(at('/ip4/127.0.0.1/tcp/1')),
  ]).toEqual([true, false, false]);
});
