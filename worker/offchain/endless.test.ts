import { expect, it } from 'vitest';
import { createTestPlatform, testConfig } from '../../test/rigs/platform.ts';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import type { Header } from '../codec/header.ts';
import { blockHashToBytes } from '../codec/identity.ts';
import { loadCrypto } from '../crypto/crypto.ts';
import { buildTinyModule } from '../executor/tiny-module.fixture.ts';
import { createNode } from '../node.ts';

/** Wasm functions: one returns four bytes of the data segment, the other loops forever. */
const answer = [0x42, 16, 0x42, 4, 0x42, 32, 0x86, 0x84];
const endless = [0x03, 0x40, 0x0c, 0, 0x0b, 0x00];
/** blake2b-64 of "OffchainWorkerApi". */
const offchainWorkerApi = hexToBytes('0xf78b278be53f454c');

it('an endless worker runs out of fuel; imports continue, and ever fewer blocks run it', async () => {
  const code = buildTinyModule({
    functions: { Core_execute_block: answer, OffchainWorkerApi_offchain_worker: endless },
    apis: [offchainWorkerApi],
  });
  const genesis = { raw: { top: { '0x3a636f6465': bytesToHex(code) } } };
  const specJson = JSON.stringify({ name: 'Endless', id: 'endless', genesis });
  const platform = createTestPlatform();
  const node = await createNode(platform, testConfig({ specJson }, { offchainWorkers: 'always' }));
  const { chain, offchain } = node.parts;
  const { stateRoot } = (await chain.loadHeader(chain.genesisHash)) as Header;
  const extrinsicsRoot = (await loadCrypto()).blake2b256(Uint8Array.of(0));
  for (let number = 1; number <= 12; number++) {
    const parentHash = blockHashToBytes(chain.best().hash);
    const header = { parentHash, number, stateRoot, extrinsicsRoot, digest: [] };
    expect(await chain.import({ header, extrinsics: [] })).toMatchObject({ ok: true, number });
    await offchain.idle();
  }
  expect(chain.best().number).toBe(12);
  expect(platform.errors).toMatchObject(
    // After each run, twice as many blocks are skipped.
    [1, 3, 6, 11].map((number) => ({
      code: 'OutOfFuel',
      message: expect.stringContaining(`block #${number}:`) as unknown,
    })),
  );
  await node.close();
});
