// Builds crates/crypto into worker/crypto/crypto-core.wasm and writes its manifest crypto-core.json.
//   node scripts/build-crypto.mjs            build and replace both files
//   node scripts/build-crypto.mjs --check    report whether the manifest matches the crate's sources and module
// Needs a rustc with the wasm32v1-none target, or else one with its library sources (rust-src), from which
// core and alloc are then built. wasm-opt (binaryen) must be in PATH. The manifest names the toolchain that
// built the committed module.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { blake2b } from '@noble/hashes/blake2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const crate = join(root, 'crates/crypto');
const wasmPath = join(root, 'worker/crypto/crypto-core.wasm');
const manifestPath = join(root, 'worker/crypto/crypto-core.json');
const target = 'wasm32v1-none';

/** SHA-256 over every input of the build: each file's path, length and bytes, in path order. */
export const hashSources = () => {
  const sources = readdirSync(join(crate, 'src'))
    .filter((name) => name.endsWith('.rs'))
    .map((name) => `src/${name}`);
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
  if (manifest.sources !== sources) return 'crates/crypto changed since crypto-core.wasm was built';
  if (manifest.size !== module.length || manifest.blake2b256 !== hashModule(module)) {
    return 'crypto-core.wasm is not the module its manifest describes';
  }
  return null;
};

export const readCommitted = () => ({
  manifest: JSON.parse(readFileSync(manifestPath, 'utf8')),
  module: new Uint8Array(readFileSync(wasmPath)),
});

const run = (command, args) =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

const runs = (command, args) => {
  try {
    return run(command, args);
  } catch {
    return null;
  }
};

/** The first rustc that can build for the target: rustup's or another one in PATH, then the distribution's. */
const findToolchain = () => {
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

const compile = ({ folder, rustc, buildStd }, targetDir) => {
  const cargoHome = process.env.CARGO_HOME ?? join(homedir(), '.cargo');
  const flags = [
    '--cfg',
    'curve25519_dalek_bits="32"', // twice as fast as 64 on Wasm, which has no 128-bit product
    `--remap-path-prefix=${cargoHome}=/cargo`,
    `--remap-path-prefix=${crate}=/crate`,
    `--remap-path-prefix=${run(rustc, ['--print', 'sysroot'])}=/rust`,
  ];
  const env = {
    ...process.env,
    CARGO_TARGET_DIR: targetDir,
    CARGO_ENCODED_RUSTFLAGS: flags.join('\x1f'),
    RUSTC: rustc,
  };
  if (buildStd) Object.assign(env, { RUSTC_BOOTSTRAP: '1', CARGO_TARGET_WASM32V1_NONE_LINKER: findLinker() });
  const args = [
    'build',
    '--locked',
    '--release',
    '--target',
    target,
    ...(buildStd ? ['-Zbuild-std=core,alloc'] : []),
  ];
  execFileSync(`${folder}cargo`, args, { cwd: crate, env, stdio: 'inherit' });
  return join(targetDir, target, 'release/tabnode_crypto_core.wasm');
};

const build = () => {
  const toolchain = findToolchain();
  const kept = process.env.CARGO_TARGET_DIR;
  const targetDir = kept ?? mkdtempSync(join(tmpdir(), 'tabnode-crypto-'));
  try {
    const raw = compile(toolchain, targetDir);
    const features = ['--mvp-features', '--enable-mutable-globals'];
    run('wasm-opt', [...features, '--strip-debug', '--strip-producers', '-O4', raw, '-o', wasmPath]);
  } finally {
    if (kept === undefined) rmSync(targetDir, { recursive: true, force: true });
  }
  const module = readFileSync(wasmPath);
  const manifest = {
    sources: hashSources(),
    size: module.length,
    blake2b256: hashModule(module),
    toolchain: run(toolchain.rustc, ['--version']),
    buildStd: toolchain.buildStd,
    optimizer: run('wasm-opt', ['--version']),
  };
  writeFileSync(manifestPath, `${JSON.stringify(manifest, null, 2)}\n`);
  process.stdout.write(`crypto-core.wasm: ${module.length} bytes, ${manifest.toolchain}\n`);
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--check')) {
    const { manifest, module } = readCommitted();
    const fault = findFault(manifest, module, hashSources());
    process.stdout.write(`${fault ?? 'crypto-core.wasm fits its sources'}\n`);
    process.exitCode = fault === null ? 0 : 1;
  } else build();
}
