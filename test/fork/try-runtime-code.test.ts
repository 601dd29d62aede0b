import { zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { RehearsalOptions } from '../../src/protocol/rehearsal.ts';
import { textToBytes } from '../../worker/bytes/bytes.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { rehearseUpgrade } from '../../worker/dev/rehearsal/rehearse.ts';
import { unpackCode } from '../../worker/executor/code-blob.ts';
import { openCoretime } from '../rigs/coretime.ts';
import { type DevNode, rejection, startDevNode } from '../rigs/dev-node.ts';
import { hasFixtures, loadFixture } from '../rigs/fixtures.ts';
import { editSection } from '../rigs/migrating-runtime.ts';
import { loadDefaultRuntime, loadNextRuntime } from '../rigs/platform.ts';

const crypto = await loadCrypto();

describe('a runtime that cannot be the next one is refused', () => {
  let dev: DevNode;
  beforeAll(async () => {
    dev = await startDevNode();
  });
  afterAll(() => dev.stop());

  const refusal = (code: Uint8Array, options: Partial<RehearsalOptions> = {}): Promise<unknown> => {
    const { parts } = dev.node;
    const all = { maxBlocks: 1, ...options };
    return rejection(rehearseUpgrade({ ...parts, zstd: null }, parts.chain.best().hash, code, all));
  };
  const saying = (code: string, message: string) => ({ code, message: expect.stringContaining(message) });

  it('because of its version', async () => {
    expect(await refusal(await loadDefaultRuntime())).toMatchObject(
      saying('BadCode', 'the chain runs tabnode 101 already: build it with a higher spec_version'),
    );
  });

  it('because of its name', async () => {
    const other = editSection(crypto, await loadNextRuntime(), 'runtime_version', (version) =>
      version.set(textToBytes('o'), 1),
    );
    expect(await refusal(other)).toMatchObject(
      saying('BadCode', 'The runtime is oabnode 102, and the chain runs tabnode 101'),
    );
  });

  it('because of host functions that are missing here', async () => {
    const code = unpackCode(await loadNextRuntime(), crypto.unzstd).slice();
    const at = Buffer.from(code).indexOf('ext_storage_clear_prefix_version_2');
    code.set(textToBytes('ext_strange'), at);
    expect(await refusal(code)).toMatchObject(
      saying('BadCode', 'needs host functions that this node does not have: env.ext_strange'),
    );
  });

  it('because it is none', async () => {
    expect(await refusal(Uint8Array.of(1, 2, 3))).toMatchObject({ code: 'BadCode' });
  });

  it('because it lacks the checks that were chosen', async () => {
    expect(await refusal(await loadNextRuntime(), { checks: 'all' })).toMatchObject(
      saying('MissingApi', 'build it with the feature try-runtime'),
    );
  });
});

describe.skipIf(!hasFixtures)('the upgrade of a parachain', () => {
  it('is measured against the size of a candidate, and says that its blocks are not built', async () => {
    const node = await openCoretime();
    onTestFinished(node.close);
    const { parts } = node;
    const { hash } = parts.chain.best();
    const { specName, specVersion } = (await parts.chain.runtimeAt(hash)).version;
    const code = await loadFixture('fork/coretime-westend-1025002.compressed.wasm');
    // Two names, each with its length, then the version of authoring.
    const next = editSection(crypto, code, 'runtime_version', (version) => {
      const at = 2 * (1 + specName.length) + 4;
      new DataView(version.buffer, version.byteOffset).setUint32(at, specVersion + 1, true);
    });
    const report = await rehearseUpgrade({ ...parts, zstd: zstdCompressSync }, hash, next, { maxBlocks: 1 });
    expect(report).toMatchObject({
      specVersion: { before: specVersion, after: specVersion + 1 },
      blocks: null,
      problems: [],
      notes: [expect.stringContaining('The chain is a parachain')],
    });
    const { proof, weight } = report.migration ?? {};
    expect(proof).toMatchObject({ limit: 8_912_896, isOver: false });
    expect(weight?.proofSize.limit).toMatch(/^\d+$/);
  });
});
