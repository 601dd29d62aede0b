// Builds the Wasm modules that the node consists of, each from its crate, and writes a manifest next to each.
//   node scripts/build-modules.mjs [crypto|batch|grandpa]            build and replace module and manifest; all by default
//   node scripts/build-modules.mjs [crypto|batch|grandpa] --check    report whether they match the crate's sources
// Needs a rustc with the module's target, or else one with its library sources (rust-src), from which the standard
// library is then built. wasm-opt (binaryen) must be in PATH. The manifest names the toolchain that built the committed
// module.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { blake2b } from '@noble/hashes/blake2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What each module is built from, and how. `path` is without its ending. */
export const modules = {
  crypto: {
    path: 'worker/crypto/crypto-core',
    library: 'tabnode_crypto_core',
    target: 'wasm32v1-none',
    std: ['-Zbuild-std=core,alloc'],
    flags: ['--cfg', 'curve25519_dalek_bits="32"'], // twice as fast as 64 on Wasm, which has no 128-bit product
    optimize: ['--mvp-features', '--enable-mutable-globals', '-O4'],
  },
  /** A part of the crypto core that only large proofs of finality need. */
  batch: {
    path: 'worker/crypto/signature-batch',
    crate: 'crypto',
    features: ['batch'],
    library: 'tabnode_crypto_core',
    target: 'wasm32v1-none',
    std: ['-Zbuild-std=core,alloc'],
    flags: ['--cfg', 'curve25519_dalek_bits="32"'],
    optimize: ['--mvp-features', '--enable-mutable-globals', '-O4'],
  },
  grandpa: {
    path: 'worker/consensus/grandpa/voter/grandpa',
    library: 'tabnode_grandpa',
    // The voter of finality-grandpa needs the standard library.
    target: 'wasm32-unknown-unknown',
    // Without backtraces, which nobody would see.
    std: ['-Zbuild-std=std,panic_abort', '-Zbuild-std-features='],
    flags: [],
    optimize: [
      ...['bulk-memory', 'sign-ext', 'nontrapping-float-to-int', 'mutable-globals'],
      ...['reference-types', 'multivalue'],
    ]
      .map((feature) => `--enable-${feature}`)
      .concat('--strip-target-features', '-Os'),
  },
};

const crateOf = (name) => join(root, 'crates', modules[name].crate ?? name);
const pathOf = (name, ending) => join(root, `${modules[name].path}.${ending}`);

/** SHA-256 over every input of the build: each file's path, length and bytes, in path order. */
export const hashSources = (name) => {
  const crate = crateOf(name);
  const sources = readdirSync(join(crate, 'src'))
    .filter((file) => file.endsWith('.rs'))
    .map((file) => `src/${file}`);
  const hash = createHash('sha256');
  for (const path of ['Cargo.lock', 'Cargo.toml', ...sources.sort()]) {
    const bytes = readFileSync(join(crate, path));
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
};

const hashModule = (bytes) => bytesToHex(blake2b(bytes, { dkLen: 32 }));

/** Null if manifest, module and source hash agree; otherwise what differs. */
export const findFault = (manifest, module, sources) => {
  if (manifest.sources !== sources) return 'the crate changed since the module was built';
  if (manifest.size !== module.length || manifest.blake2b256 !== hashModule(module)) {
    return 'the file is not the module its manifest describes';
  }
  return null;
};

export const readCommitted = (name) => ({
  manifest: JSON.parse(readFileSync(pathOf(name, 'json'), 'utf8')),
  module: new Uint8Array(readFileSync(pathOf(name, 'wasm'))),
});

export const run = (command, args) =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

const runs = (command, args) => {
  try {
    return run(command, args);
  } catch {
    return null;
  }
};

/** The first rustc that can build for the target: rustup's or another one in PATH, then the distribution's. */
const findToolchain = (target) => {
  for (const folder of ['', '/usr/bin/']) {
    const rustc = `${folder}rustc`;
    const libraries = runs(rustc, ['--print', 'target-libdir', '--target', target]);
    if (libraries !== null && existsSync(libraries)) return { folder, rustc, buildStd: false };
  }
  for (const folder of ['', '/usr/bin/']) {
    const rustc = `${folder}rustc`;
    const sysroot = runs(rustc, ['--print', 'sysroot']);
    const library = sysroot === null ? '' : join(sysroot, 'lib/rustlib/src/rust/library/core/Cargo.toml');
    if (existsSync(library)) return { folder, rustc, buildStd: true };
  }
  throw new Error(
    `no rustc with the ${target} target (rustup target add ${target}) and none with its library sources`,
  );
};

const findLinker = () => {
  for (const name of ['rust-lld', 'wasm-ld', 'wasm-ld-22', 'wasm-ld-21', 'wasm-ld-20', 'wasm-ld-19']) {
    if (runs(name, name === 'rust-lld' ? ['-flavor', 'wasm', '--version'] : ['--version']) !== null)
      return name;
  }
  throw new Error('no wasm linker (wasm-ld) in PATH');
};

const compile = (name, { folder, rustc, buildStd }, targetDir) => {
  const { target, std, flags, library, features = [] } = modules[name];
  const crate = crateOf(name);
  const cargoHome = process.env.CARGO_HOME ?? join(homedir(), '.cargo');
  const allFlags = [
    ...flags,
    `--remap-path-prefix=${cargoHome}=/cargo`,
    `--remap-path-prefix=${crate}=/crate`,
    `--remap-path-prefix=${run(rustc, ['--print', 'sysroot'])}=/rust`,
  ];
  const env = {
    ...process.env,
    CARGO_TARGET_DIR: targetDir,
    CARGO_ENCODED_RUSTFLAGS: allFlags.join('\x1f'),
    RUSTC: rustc,
  };
  const linkerName = `CARGO_TARGET_${target.toUpperCase().replaceAll('-', '_')}_LINKER`;
  if (buildStd) Object.assign(env, { RUSTC_BOOTSTRAP: '1', [linkerName]: findLinker() });
  const chosen = features.length > 0 ? ['--features', features.join()] : [];
  const args = ['build', '--locked', '--release', '--target', target, ...chosen, ...(buildStd ? std : [])];
  execFileSync(`${folder}cargo`, args, { cwd: crate, env, stdio: 'inherit' });
  return join(targetDir, target, `release/${library}.wasm`);
};

const build = (name) => {
  const { target, optimize } = modules[name];
  const wasmPath = pathOf(name, 'wasm');
  const toolchain = findToolchain(target);
  const kept = process.env.CARGO_TARGET_DIR;
  const targetDir = kept ?? mkdtempSync(join(tmpdir(), `tabnode-${name}-`));
  try {
    const raw = compile(name, toolchain, targetDir);
    run('wasm-opt', ['--strip-debug', '--strip-producers', ...optimize, raw, '-o', wasmPath]);
  } finally {
    if (kept === undefined) rmSync(targetDir, { recursive: true, force: true });
  }
  const module = readFileSync(wasmPath);
  const manifest = {
    sources: hashSources(name),
    size: module.length,
    blake2b256: hashModule(module),
    toolchain: run(toolchain.rustc, ['--version']),
    buildStd: toolchain.buildStd,
    optimizer: run('wasm-opt', ['--version']),
  };
  writeFileSync(pathOf(name, 'json'), `${JSON.stringify(manifest, null, 2)}\n`);
  process.stdout.write(`${modules[name].path}.wasm: ${module.length} bytes, ${manifest.toolchain}\n`);
};

const check = (name) => {
  const { manifest, module } = readCommitted(name);
  const fault = findFault(manifest, module, hashSources(name));
  process.stdout.write(`${modules[name].path}.wasm: ${fault ?? 'fits its sources'}\n`);
  if (fault !== null) process.exitCode = 1;
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const asked = process.argv.slice(2).filter((name) => name !== '--check');
  const wrong = asked.find((name) => !Object.hasOwn(modules, name));
  if (wrong !== undefined) throw new Error(`there is no module ${wrong}`);
  const act = process.argv.includes('--check') ? check : build;
  for (const name of asked.length > 0 ? asked : Object.keys(modules)) act(name);
}
