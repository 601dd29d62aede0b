import { describe, expect, it } from 'vitest';
import { readAddress, refuseMixed } from './remote-socket.ts';

describe('the address of a node', () => {
  it.each([
    ['ws://127.0.0.1:9944', 'ws://127.0.0.1:9944/'],
    [' 127.0.0.1:9944 ', 'ws://127.0.0.1:9944/'],
    ['localhost:9944/Development', 'ws://localhost:9944/Development'],
    ['rpc.polkadot.io', 'ws://rpc.polkadot.io/'],
    ['wss://rpc.polkadot.io/a?b=1#c', 'wss://rpc.polkadot.io/a?b=1'],
    ['WS://NODE:80', 'ws://node/'],
    ['ws://[::1]:9944', 'ws://[::1]:9944/'],
    ['http://127.0.0.1:9933', 'ws://127.0.0.1:9933/'],
    ['https://a', 'wss://a/'],
  ])('%j is parsed as %s', (text, expected) => {
    expect(readAddress(text).href).toBe(expected);
  });

  it.each(['', ' ', 'ftp://a', 'javascript://a', 'ws://', 'ws://a b', 'mailto:me', '127.0.0.1:99999'])(
    'rejects %j, with an example of a valid address',
    (text) => {
      expect(() => readAddress(text)).toThrow(/is not the address of a node: write one such as ws:/);
    },
  );
});

describe('mixed content', () => {
  const refuse = (address: string, protocol: string) => () => refuseMixed(readAddress(address), { protocol });

  it('keeps an https page from an unencrypted node, and names the alternatives', () => {
    expect(refuse('ws://node.example', 'https:')).toThrow(/use the wss:\/\/ address .* the tabnode command/);
    expect(refuse('ws://192.168.0.2:9944', 'https:')).toThrow(/may not connect to ws:\/\/192\.168\.0\.2/);
  });

  it.each([
    ['wss://node.example', 'https:'],
    ['ws://127.0.0.1:9944', 'https:'],
    ['ws://localhost:9944', 'https:'],
    ['ws://[::1]:9944', 'https:'],
    ['ws://node.example', 'http:'],
  ])('allows %s from a page with %s', (address, protocol) => {
    expect(refuse(address, protocol)).not.toThrow();
  });
});
