// Clients that work with `tabnode serve` work with a bridge: the same tests, with a bridge between them and the node
// (serve-through-bridge.fixture.ts). All tests of `serve`: TABNODE_THROUGH_BRIDGE=1 vitest run --project node bridge
import { afterAll } from 'vitest';

process.env['TABNODE_THROUGH_BRIDGE'] = '1';
afterAll(() => {
  delete process.env['TABNODE_THROUGH_BRIDGE'];
});
await import('./raw-client.test.ts');
await import('./polkadot-js.test.ts');
await import('./http-clients.test.ts');
await import('./python-client.test.ts');
