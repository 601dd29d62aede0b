import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadCrypto } from '../worker/crypto/crypto.ts';
import { codeLimitBytes } from '../worker/executor/code-blob.ts';
import {
  codeHash,
  crateFolder,
  describeModule,
  findFaults,
  hashSources,
  packedMagic,
  publicFolder,
  readManifest,
  variants,
} from './runtime-manifest.mjs';

type Entry = {
  readonly file: string;
  readonly bytes: number;
  readonly blake2b256: string;
  readonly rawBlake2b256: string;
  readonly specName: string;
  readonly specVersion: number;
  readonly exports: readonly string[];
  readonly apis: Readonly<Record<string, number>>;
};
const manifest: { readonly runtimes: readonly Entry[]; readonly sourceSha256: string } = readManifest();
const [runtime, next] = manifest.runtimes;

const { unzstd } = await loadCrypto();

const work = mkdtempSync(join(tmpdir(), 'tabnode-manifest-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

const unpack = (file: string): Uint8Array => {
  const bytes = new Uint8Array(readFileSync(join(publicFolder, file)));
  expect(bytes.subarray(0, packedMagic.length)).toEqual(packedMagic);
  return unzstd(bytes.subarray(packedMagic.length), codeLimitBytes);
};

describe('the manifest of the default runtime', () => {
  it('matches the sources and the built modules', () => {
    expect(findFaults(manifest)).toEqual([]);
  });

  it('detects a changed, a new and a renamed source', () => {
    const crate = join(work, 'crate');
    for (const part of ['src', 'Cargo.toml', 'Cargo.lock']) {
      cpSync(join(crateFolder, part), join(crate, part), { recursive: true });
    }
    expect(hashSources(crate)).toBe(manifest.sourceSha256);
    const library = join(crate, 'src/lib.rs');
    const text = readFileSync(library, 'utf8');
    writeFileSync(library, `${text} `);
    expect(findFaults(manifest, hashSources(crate))).toHaveLength(1);
    writeFileSync(library, text);
    writeFileSync(join(crate, 'src/more.rs'), '');
    expect(findFaults(manifest, hashSources(crate))).toHaveLength(1);
  });

  it('detects a damaged module', () => {
    for (const { file } of variants) cpSync(join(publicFolder, file), join(work, file));
    const path = join(work, runtime?.file ?? '');
    const bytes = readFileSync(path);
    bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    expect(findFaults(manifest, hashSources(), work)).toEqual([
      `${runtime?.file} is not the module its manifest describes`,
    ]);
  });

  it.each(manifest.runtimes)('describes $file', (entry) => {
    const { file: _file, bytes: _bytes, blake2b256: _hash, ...described } = entry;
    const wasm = unpack(entry.file);
    expect(describeModule(wasm)).toEqual(described);
    expect(codeHash(wasm)).toBe(entry.rawBlake2b256);
  });

  it('has one runtime to upgrade to, which differs only in its version', () => {
    expect(runtime?.specName).toBe('tabnode');
    expect(next?.specName).toBe('tabnode');
    expect(next?.specVersion).toBe((runtime?.specVersion ?? 0) + 1);
    expect(next?.exports).toEqual(runtime?.exports);
    expect(next?.apis).toEqual(runtime?.apis);
  });

  it('names every API by the prefix of its exports', () => {
    for (const [name, version] of Object.entries(runtime?.apis ?? {})) {
      expect(name).toMatch(/^[A-Z][A-Za-z]+$/);
      expect(version).toBeGreaterThan(0);
    }
    expect(runtime?.apis).toMatchObject({
      Core: 5,
      Metadata: 2,
      BabeApi: 2,
      GrandpaApi: 3,
      GenesisBuilder: 1,
    });
  });
});
