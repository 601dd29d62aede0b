// Builds crates/runtime into public/: the default runtime, the same one with the next spec version, and their
// manifest. Uses rustup's wasm32v1-none target if installed; else a rustc with its library sources (on Debian
// the packages rustc-web, cargo-web, rust-web-src and lld-19), from which core and alloc are then built.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import {
  codeHash,
  crateFolder,
  describeModule,
  findFaults,
  hashSources,
  manifestPath,
  packedMagic,
  publicFolder,
  readManifest,
  variants,
} from './runtime-manifest.mjs';

const help = `Usage: node scripts/build-runtime.mjs [--out FILE | --check | --help]

Compiles crates/runtime for wasm32v1-none, optimizes, checks and packs it, and writes public/tabnode-runtime*.wasm and
public/runtime-manifest.json. The first build takes three to ten minutes and 3 GB of memory.

  --out FILE  build one runtime, with the spec version of the sources, into FILE; public/ stays as it is
  --check     build nothing; say whether sources, modules and manifest agree
  --help      this text

Needs cargo and rustc with the wasm32v1-none target (rustup target add wasm32v1-none), or on Debian
  apt install rustc-web cargo-web rust-web-src rust-web-llvm lld-19
and wasm-opt (binaryen), wasm-validate (wabt) and zstd in PATH.

  CARGO_TARGET_DIR   where cargo keeps its work (crates/runtime/target unless given)
  CARGO_HOME         where cargo keeps its downloads
`;

const target = 'wasm32v1-none';
const profile = 'production';

const run = (command, args) =>
  execFileSync(command, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 26,
  }).trim();

const runs = (command, args) => {
  try {
    return run(command, args);
  } catch {
    return null;
  }
};

const requireTool = (command, source) => {
  const version = runs(command, ['--version']);
  if (version === null) throw new Error(`${command} is not in PATH: install ${source}`);
  return version.split('\n')[0];
};

/** rustup's rustc, or the first in PATH, if it has the target; else the distribution's with its sources. */
const findToolchain = () => {
  const candidates = ['', '/usr/bin/'].map((folder) => ({ folder, rustc: `${folder}rustc` }));
  for (const { folder, rustc } of candidates) {
    const libraries = runs(rustc, ['--print', 'target-libdir', '--target', target]);
    if (libraries !== null && existsSync(libraries)) return { folder, rustc, kind: 'rustup' };
  }
  for (const { folder, rustc } of candidates) {
    const sysroot = runs(rustc, ['--print', 'sysroot']);
    const source = sysroot === null ? '' : join(sysroot, 'lib/rustlib/src/rust/library/core/Cargo.toml');
    if (existsSync(source)) return { folder, rustc, kind: 'build-std' };
  }
  throw new Error(
    `no rustc has the ${target} target, and none its library sources: see node scripts/build-runtime.mjs --help`,
  );
};

const findLinker = () => {
  const names = ['wasm-ld', 'wasm-ld-22', 'wasm-ld-21', 'wasm-ld-20', 'wasm-ld-19'];
  const found = names.find((name) => runs(name, ['--version']) !== null);
  if (found === undefined) throw new Error('no wasm-ld in PATH: install lld');
  return found;
};

/**
 * `substrate_runtime` makes sp-io emit its imports, allocator and panic handler; hosts expect a table and
 * memory.
 */
const buildEnvironment = ({ rustc, folder, kind }, targetDir) => {
  const cargoHome = resolve(process.env.CARGO_HOME ?? join(homedir(), '.cargo'));
  const sysroot = run(rustc, ['--print', 'sysroot']);
  const flags = ['--cfg', 'substrate_runtime'];
  for (const argument of ['--export-table', '--export=__heap_base', '--import-memory']) {
    flags.push('-C', `link-arg=${argument}`);
  }
  flags.push(`--remap-path-prefix=${cargoHome}=/cargo`);
  flags.push(`--remap-path-prefix=${join(sysroot, 'lib/rustlib/src/rust')}=/rustc`);
  const env = { ...process.env, CARGO_TARGET_DIR: targetDir, CARGO_ENCODED_RUSTFLAGS: flags.join('\x1f') };
  // A distribution's cargo must find its own rustc, not rustup's, which may come earlier in PATH.
  if (folder !== '') Object.assign(env, { PATH: `${folder}:${env.PATH}`, RUSTC: rustc });
  if (kind === 'build-std') {
    Object.assign(env, { RUSTC_BOOTSTRAP: '1', CARGO_TARGET_WASM32V1_NONE_LINKER: findLinker() });
  }
  return env;
};

const compile = (toolchain, targetDir, features) => {
  const args = ['build', '--locked', '--profile', profile, '--target', target];
  if (toolchain.kind === 'build-std') args.push('-Zbuild-std=core,alloc');
  if (features.length > 0) args.push('--features', features.join(','));
  const options = { cwd: crateFolder, env: buildEnvironment(toolchain, targetDir), stdio: 'inherit' };
  execFileSync(`${toolchain.folder}cargo`, args, options);
  return join(targetDir, target, profile, 'tabnode_runtime.wasm');
};

/** MVP features only, so that any engine, including the SDK's, runs the module. */
const optimize = (from, to) => {
  const features = ['--mvp-features', '--enable-mutable-globals'];
  run('wasm-opt', [...features, '--strip-debug', '--strip-producers', '-O3', from, '-o', to]);
  const beyond = [
    'sign-extension',
    'bulk-memory',
    'saturating-float-to-int',
    'multi-value',
    'reference-types',
    'simd',
  ];
  run('wasm-validate', [...beyond.map((feature) => `--disable-${feature}`), to]);
};

/** The on-chain form: the magic, then zstd at its highest level. */
const pack = (path) => {
  const packed = `${path}.zst`;
  run('zstd', ['--quiet', '--force', '--ultra', '-22', path, '-o', packed]);
  const body = readFileSync(packed);
  const bytes = new Uint8Array(packedMagic.length + body.length);
  bytes.set(packedMagic);
  bytes.set(body, packedMagic.length);
  return bytes;
};

/** The packed module in `folder`, and what the manifest says about it. */
const buildVariant = (toolchain, targetDir, { file, features }, folder = publicFolder) => {
  const work = mkdtempSync(join(tmpdir(), 'tabnode-runtime-'));
  try {
    const path = join(work, 'runtime.wasm');
    optimize(compile(toolchain, targetDir, features), path);
    const bytes = pack(path);
    const entry = {
      file,
      bytes: bytes.length,
      blake2b256: codeHash(bytes),
      ...describeModule(readFileSync(path)),
    };
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, file), bytes);
    return entry;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};

/** What a build needs, and who provides it. Throws for the first tool that is missing. */
const findTools = () => {
  const optimizer = requireTool('wasm-opt', 'binaryen');
  requireTool('wasm-validate', 'wabt');
  const packer = /v(\d+\.\d+\.\d+)/.exec(requireTool('zstd', 'zstd'))?.[1] ?? 'unknown';
  const targetDir = resolve(process.env.CARGO_TARGET_DIR ?? join(crateFolder, 'target'));
  return { optimizer, packer, toolchain: findToolchain(), targetDir };
};

const sayBuilt = ({ file, bytes, rawBytes, specVersion, imports }) => {
  const size = `${(rawBytes / 1e6).toFixed(2)} MB, packed ${(bytes / 1e6).toFixed(2)} MB`;
  process.stdout.write(`${file}: spec ${specVersion}, ${size}, ${imports.length} host functions\n`);
};

/** One runtime, for somebody who edits it. */
const buildInto = (path) => {
  const { toolchain, targetDir } = findTools();
  const place = resolve(path);
  sayBuilt(buildVariant(toolchain, targetDir, { file: basename(place), features: [] }, dirname(place)));
};

const build = () => {
  const { optimizer, packer, toolchain, targetDir } = findTools();
  const sourceSha256 = hashSources();
  const runtimes = variants.map((variant) => buildVariant(toolchain, targetDir, variant));
  if (hashSources() !== sourceSha256)
    throw new Error('crates/runtime changed while it was compiled: build again');
  const manifest = {
    sourceSha256,
    toolchain: {
      rustc: run(toolchain.rustc, ['--version']),
      standardLibrary: toolchain.kind === 'rustup' ? 'precompiled' : 'built from its sources',
      optimizer,
      packer: `zstd ${packer}`,
    },
    runtimes,
  };
  writeFileSync(manifestPath, `${JSON.stringify(manifest, null, 2)}\n`);
  for (const runtime of runtimes) sayBuilt(runtime);
};

const check = () => {
  const faults = findFaults(readManifest());
  process.stdout.write(`${faults.length === 0 ? 'the runtime fits its sources' : faults.join('\n')}\n`);
  if (faults.length > 0) process.exitCode = 1;
};

const [option, ...rest] = process.argv.slice(2);
try {
  if (option === '--help' && rest.length === 0) process.stdout.write(help);
  else if (option === '--check' && rest.length === 0) check();
  else if (option === '--out' && rest.length === 1) buildInto(rest[0]);
  else if (option === undefined) {
    build();
    // Needs the Node.js in node_modules, because it imports TypeScript and this script may run on an older
    // version.
    const root = resolve(crateFolder, '../..');
    execFileSync(join(root, 'node_modules/.bin/node'), [join(root, 'scripts/genesis.mjs')]);
  } else throw new Error(`unknown option ${[option, ...rest].join(' ')}: see --help`);
} catch (error) {
  const output = error.stderr ? `\n${error.stderr}` : '';
  process.stderr.write(`${error.message}${output}\n`);
  process.exitCode = 1;
}
