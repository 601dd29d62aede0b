/** The part of `node:fs/promises` that is used; this folder is type-checked without Node.js. */
type Files = {
  readFile(file: string | URL): Promise<Uint8Array>;
  writeFile(file: string | URL, bytes: Uint8Array): Promise<void>;
};
type Process = {
  readonly env: Readonly<Record<string, string | undefined>>;
  getBuiltinModule(name: string): unknown;
};

const isFile = (file: string | URL): boolean =>
  file instanceof URL ? file.protocol === 'file:' : !/^https?:/.test(file);

/** Of Node.js; undefined in a browser. */
export const processOf = (): Partial<Process> | undefined =>
  (globalThis as { readonly process?: Partial<Process> }).process;

/** Undefined in a browser. */
export const filesOf = (): Files | undefined =>
  processOf()?.getBuiltinModule?.('node:fs/promises') as Files | undefined;

/** The bytes of a file: a path from where the tests are run, or a URL. Rejects if it cannot be read. */
export const loadFile = async (file: string | URL): Promise<Uint8Array> => {
  const files = filesOf();
  // The bytes alone: those of a small file are a part of a buffer that others use.
  if (isFile(file) && files !== undefined) return Uint8Array.from(await files.readFile(file));
  const response = await globalThis.fetch(file);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
};
