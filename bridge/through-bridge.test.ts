// Clients that work with `tabnode serve` must also work through a bridge: the same tests, with a bridge
// between client and node (serve-through-thread.fixture.ts). To run all tests of `serve` this way:
// TABNODE_THROUGH=thread vitest run --project node bridge
// With the node of a tab in Chromium: e2e/bridge-clients.spec.ts
import { afterAll } from 'vitest';

process.env['TABNODE_THROUGH'] = 'thread';
afterAll(() => {
  delete process.env['TABNODE_THROUGH'];
});
await import('./raw-client.test.ts');
await import('./polkadot-js.test.ts');
await import('./http-clients.test.ts');
await import('./python-client.test.ts');
