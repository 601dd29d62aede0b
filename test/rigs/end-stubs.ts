import { afterAll, vi } from 'vitest';

/**
 * Test files share a process: what one puts in the place of a global ends with it. js-libp2p, for example, misses the first
 * message of a connection if `WebSocket` is still the class of `ws` that the tests of the bridge use.
 */
afterAll(() => void vi.unstubAllGlobals());
