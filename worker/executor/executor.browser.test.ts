import { describe, expect, test } from 'vitest';
import { hasFixtures, loadFixtureJson } from '../../test/rigs/fixtures.ts';
import { bytesToText, noBytes } from '../bytes/bytes.ts';
import { hexToBytes } from '../bytes/hex.ts';
import { decodeRuntimeVersion } from '../codec/runtime-version.ts';
import { loadCrypto } from '../crypto/crypto.ts';
import { createEmptyBackend } from '../state/backend.ts';
import { createOverlay } from '../state/overlay.ts';
import { emptySource } from '../trie/node-source.ts';
import { createExecutor } from './executor.ts';

type Expected = { file: string; runtime: Record<string, string | number | null> };
type Spec = { genesis: { raw: { top: Record<string, string> } } };
const chains = hasFixtures ? await loadFixtureJson<Expected[]>('chains/expected.json') : [];
const crypto = await loadCrypto();
const emptyOverlay = () =>
  createOverlay(createEmptyBackend({ blake2b256: crypto.blake2b256, source: emptySource }));
const loadCode = async (file: string): Promise<Uint8Array> =>
  hexToBytes((await loadFixtureJson<Spec>(`chains/${file}`)).genesis.raw.top['0x3a636f6465'] ?? '');

describe.skipIf(!hasFixtures)('runtimes of the fixture chains', () => {
  test.each(chains.map((chain) => [chain.file, chain] as const))(
    '%s returns its version and metadata',
    async (file, chain) => {
      const code = await loadCode(file);
      const runtime = createExecutor({ crypto }).load(crypto.blake2b256(code), code);
      // The engine has the code: no other copy of it is kept.
      expect(runtime.module.bytes).toHaveLength(0);
      expect(runtime.module.size).toBeGreaterThan(100_000);
      const answer = runtime.call(emptyOverlay(), 'Core_version', noBytes);
      if (!answer.ok) throw new Error(answer.trap);
      const asked = decodeRuntimeVersion(answer.output);
      expect(asked).toEqual(runtime.version);
      const { specName, implName, authoringVersion, specVersion, implVersion } = chain.runtime;
      expect(asked).toMatchObject({ specName, implName, authoringVersion, specVersion, implVersion });
      expect(asked.transactionVersion).toBe(chain.runtime['transactionVersion'] ?? 1);
      expect(asked.systemVersion).toBe(chain.runtime['systemVersion'] ?? 0);
      expect(asked.apis.length).toBe(chain.runtime['apiCount']);
      expect(runtime.apiVersion('Core')).toBe(chain.runtime['coreApiVersion']);
      expect(runtime.apiVersion('NoSuchApi')).toBeNull();
      const metadata = runtime.call(emptyOverlay(), 'Metadata_metadata', noBytes);
      if (!metadata.ok) throw new Error(metadata.trap);
      expect(bytesToText(metadata.output.subarray(4, 8))).toBe('meta');
      expect(runtime.call(emptyOverlay(), 'No_such', noBytes)).toMatchObject({
        ok: false,
        kind: 'missingExport',
      });
    },
  );

  test('at most two instances are alive, whichever runtimes are called', async () => {
    const executor = createExecutor({ crypto });
    for (const { file } of [...chains, ...chains]) {
      const code = await loadCode(file);
      const runtime = executor.load(crypto.blake2b256(code), code);
      expect(runtime.call(emptyOverlay(), 'Core_version', noBytes).ok).toBe(true);
      expect(executor.liveInstances()).toBeLessThanOrEqual(2);
    }
    expect(executor.liveInstances()).toBe(2);
  });
});
