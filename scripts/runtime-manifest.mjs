// The contents of public/runtime-manifest.json about the default runtime, and whether they are up to date.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { blake2b } from '@noble/hashes/blake2.js';

const root = fileURLToPath(new URL('..', import.meta.url));

export const crateFolder = join(root, 'crates/runtime');
export const publicFolder = join(root, 'public');
export const manifestPath = join(publicFolder, 'runtime-manifest.json');

/** The built modules: the default one, and the same runtime with the next spec version. */
export const variants = [
  { file: 'tabnode-runtime.compact.compressed.wasm', features: [] },
  { file: 'tabnode-runtime-next.compact.compressed.wasm', features: ['next'] },
];

/** The prefix that marks zstd-compressed code (sp-maybe-compressed-blob). */
export const packedMagic = Uint8Array.of(0x52, 0xbc, 0x53, 0x76, 0x46, 0xdb, 0x8e, 0x05);

const toHex = (bytes) => `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;

/** BLAKE2b-256, which identifies code on chains. */
export const codeHash = (bytes) => toHex(blake2b(bytes, { dkLen: 32 }));

/** The crate's files in path order, below `folder`. */
const listSources = (folder) => {
  const sources = readdirSync(join(folder, 'src'), { recursive: true })
    .map((path) => `src/${String(path).replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.rs'));
  return ['Cargo.lock', 'Cargo.toml', ...sources].sort();
};

/** SHA-256 over every input of the build: each file's path, length and bytes, in path order. */
export const hashSources = (folder = crateFolder) => {
  const hash = createHash('sha256');
  for (const path of listSources(folder)) {
    const bytes = readFileSync(join(folder, path));
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
};

const section = (module, name) => {
  const [bytes, ...more] = WebAssembly.Module.customSections(module, name);
  if (bytes === undefined || more.length > 0) throw new Error(`the module has no single section ${name}`);
  return new Uint8Array(bytes);
};

/**
 * Spec name and version, at the start of the `runtime_version` section (SCALE; names shorter than 64 bytes).
 */
const readVersion = (bytes) => {
  let at = 0;
  const text = () => {
    const length = bytes[at] >> 2;
    at += 1 + length;
    return new TextDecoder().decode(bytes.subarray(at - length, at));
  };
  const u32 = () => {
    at += 4;
    return new DataView(bytes.buffer, bytes.byteOffset).getUint32(at - 4, true);
  };
  const specName = text();
  text(); // implementation name
  u32(); // authoring version
  return { specName, specVersion: u32() };
};

/** API names with their versions. The section has hashes of the names, which are prefixes of the exports. */
const readApis = (bytes, exports) => {
  const names = new Map();
  for (const name of new Set(exports.map((method) => method.split('_')[0]))) {
    names.set(toHex(blake2b(new TextEncoder().encode(name), { dkLen: 8 })), name);
  }
  const apis = [];
  for (let at = 0; at < bytes.length; at += 12) {
    const id = toHex(bytes.subarray(at, at + 8));
    apis.push([
      names.get(id) ?? id,
      new DataView(bytes.buffer, bytes.byteOffset + at + 8).getUint32(0, true),
    ]);
  }
  return Object.fromEntries(apis.sort(([a], [b]) => (a < b ? -1 : 1)));
};

/** The information in an uncompressed module. Throws if it is not a runtime. */
export const describeModule = (wasm) => {
  const module = new WebAssembly.Module(wasm);
  const imports = WebAssembly.Module.imports(module);
  const functions = WebAssembly.Module.exports(module).filter(({ kind }) => kind === 'function');
  const exports = functions.map(({ name }) => name).sort();
  const strangers = imports.filter(
    ({ module: from, name }) => from !== 'env' || !/^(ext_|memory$)/.test(name),
  );
  if (strangers.length > 0) throw new Error(`the module imports ${strangers.map(({ name }) => name)}`);
  return {
    ...readVersion(section(module, 'runtime_version')),
    rawBytes: wasm.length,
    rawBlake2b256: codeHash(wasm),
    apis: readApis(section(module, 'runtime_apis'), exports),
    exports,
    imports: imports.flatMap(({ kind, name }) => (kind === 'function' ? [name] : [])).sort(),
  };
};

/** Differences between a manifest, the crate's sources and the built modules; empty if there are none. */
export const findFaults = (manifest, sources = hashSources(), folder = publicFolder) => {
  const faults = [];
  if (manifest.sourceSha256 !== sources) {
    faults.push('crates/runtime changed since the runtime was built: npm run build:runtime');
  }
  for (const { file } of variants) {
    const entry = manifest.runtimes.find((candidate) => candidate.file === file);
    const bytes = readFileSync(join(folder, file));
    if (entry === undefined) faults.push(`the manifest does not know ${file}`);
    else if (entry.bytes !== bytes.length || entry.blake2b256 !== codeHash(bytes)) {
      faults.push(`${file} is not the module its manifest describes`);
    }
  }
  return faults;
};

export const readManifest = () => JSON.parse(readFileSync(manifestPath, 'utf8'));
