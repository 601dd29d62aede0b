import { vi } from 'vitest';

/**
 * How long a test waits for something to appear before it fails, in ms. It is long because the machine may be
 * busy.
 */
const patienceMs = 20_000;

const { waitFor, waitUntil } = vi;
vi.waitFor = (callback, options) => waitFor(callback, options ?? { timeout: patienceMs });
vi.waitUntil = (callback, options) => waitUntil(callback, options ?? { timeout: patienceMs });
