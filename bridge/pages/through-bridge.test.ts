// Clients that work with `tabnode serve` must also work through a bridge: the same tests, with a bridge
// between client and node (serve-through-thread.fixture.ts). To run all tests of `serve` this way:
// TABNODE_THROUGH=thread vitest run --project node bridge
// With the node of a tab in Chromium: e2e/bridge-clients.spec.ts
import { afterAll } from 'vitest';

process.env['TABNODE_THROUGH'] = 'thread';
afterAll(() => {
  delete process.env['TABNODE_THROUGH'];
});
await import('../server/raw-client.test.ts');
await import('../clients/polkadot-js.test.ts');
await import('../server/http-clients.test.ts');
await import('../clients/python-client.test.ts');
