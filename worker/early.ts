import { compileCore } from './crypto/core-module.ts';

/**
 * The Wasm core, which every start needs. An entry imports this file before all others, so that the core is
 * fetched and compiled in other threads while the rest of the script is evaluated.
 */
export const core: Promise<WebAssembly.Module> = compileCore();
// Prevents an unhandled rejection; the awaiting caller reports the error.
core.catch(() => undefined);
