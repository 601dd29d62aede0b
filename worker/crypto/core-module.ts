import { NodeError } from '../../src/protocol/errors.ts';

const readFile = async (url: URL): Promise<Uint8Array<ArrayBuffer>> => {
  // The specifier is a variable so that bundlers for the browser leave it alone.
  const name = 'node:fs/promises';
  const files = (await import(
    /* @vite-ignore */ /* webpackIgnore: true */ name
  )) as typeof import('node:fs/promises');
  return new Uint8Array(await files.readFile(url));
};

const compileFetched = async (url: URL): Promise<WebAssembly.Module> => {
  const response = await globalThis.fetch(url);
  if (!response.ok) throw new NodeError('CryptoUnavailable', `${url.href} answered ${response.status}`);
  // Servers that do not know Wasm's media type must not cause a failure.
  return response.headers.get('content-type') === 'application/wasm'
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
};

/** Compiles a module (Node.js: from disk; browser: by fetch). Throws `CryptoUnavailable`. */
export const compileModule = async (url: URL): Promise<WebAssembly.Module> => {
  try {
    return url.protocol === 'file:'
      ? await WebAssembly.compile(await readFile(url))
      : await compileFetched(url);
  } catch (cause) {
    if (cause instanceof NodeError) throw cause;
    throw new NodeError('CryptoUnavailable', undefined, { cause });
  }
};

/** Compiles the module next to this file. Throws `CryptoUnavailable`. */
export const compileCore = (): Promise<WebAssembly.Module> =>
  compileModule(new URL('./crypto-core.wasm', import.meta.url));
