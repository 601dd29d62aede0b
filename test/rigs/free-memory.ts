import { afterAll } from 'vitest';

/**
 * Chromium reserves 8 GiB of addresses per Wasm memory and has 1 TiB per process. Memories that the page no longer uses
 * count until its next collection, and a worker that finds no room does not cause one.
 */
afterAll(() => (globalThis as { gc?: () => void }).gc?.());
