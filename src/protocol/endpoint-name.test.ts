import { expect, it } from 'vitest';
import { nameEndpoint } from './endpoint-name.ts';

it.each([
  ['wss://me:secret@node.example/dot?apikey=secret#secret', 'wss://node.example/dot'],
  ['https://secret@node.example:9944/', 'https://node.example:9944'],
  ['ftp://me:secret@node.example/', 'ftp://node.example'],
  ['wss://me:secret@[::1', 'wss://[::1'],
  ['ws//me:s@cret@node.example/x?key=secret', 'ws//node.example/x'],
  ['ws://', 'ws://'],
  ['polkadto', 'polkadto'],
  ['localhost:9944', 'localhost:9944'],
])('%s is shown as %s', (url, shown) => {
  expect(nameEndpoint(url)).toBe(shown);
});
