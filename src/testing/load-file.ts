/** The part of `node:fs/promises` that is used; this folder is type-checked without Node.js. */
type Files = { readFile(file: string | URL): Promise<Uint8Array> };
type Process = { getBuiltinModule(name: string): unknown };

const isFile = (file: string | URL): boolean =>
  file instanceof URL ? file.protocol === 'file:' : !/^https?:/.test(file);

/** The bytes of a file: a path from where the tests are run, or a URL. Rejects if it cannot be read. */
export const loadFile = async (file: string | URL): Promise<Uint8Array> => {
  const { process } = globalThis as { readonly process?: Partial<Process> };
  if (isFile(file) && process?.getBuiltinModule !== undefined) {
    const { readFile } = process.getBuiltinModule('node:fs/promises') as Files;
    // The bytes alone: those of a small file are a part of a buffer that others use.
    return Uint8Array.from(await readFile(file));
  }
  const response = await globalThis.fetch(file);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
};
