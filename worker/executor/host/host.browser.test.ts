import { describe, expect, test } from 'vitest';
import { hasFixtures, loadFixtureJson } from '../../../test/fixtures.ts';
import { noBytes } from '../../bytes/bytes.ts';
import { hexToBytes } from '../../bytes/hex.ts';
import { Reader } from '../../bytes/reader.ts';
import { decodeRuntimeVersion } from '../../codec/runtime-version.ts';
import { loadCrypto } from '../../crypto/crypto.ts';
import { createEmptyBackend } from '../../state/backend.ts';
import { createOverlay } from '../../state/overlay.ts';
import { emptySource } from '../../trie/node-source.ts';
import { createExecutor } from '../executor.ts';
import { buildTinyModule, tinyTypes } from '../tiny-module.ts';
import { hostFunctions } from './index.ts';

const crypto = await loadCrypto();
const newOverlay = () =>
  createOverlay(createEmptyBackend({ blake2b256: crypto.blake2b256, source: emptySource }));

/** The span of the whole input, in Wasm. */
const inputSpan = [0x20, 1, 0xad, 0x42, 32, 0x86, 0x20, 0, 0xad, 0x84];
/** A runtime whose `ask` hands its input to one host function and answers what that answers. */
const asking = (name: string) => {
  const code = buildTinyModule({
    imports: [[name, tinyTypes.spanToSpan]],
    functions: { ask: [...inputSpan, 0x10, 0] },
  });
  const runtime = createExecutor({ crypto }).load(crypto.blake2b256(code), code);
  return (input: Uint8Array, overlay = newOverlay()): Uint8Array => {
    const result = runtime.call(overlay, 'ask', input);
    if (!result.ok) throw new Error(result.trap);
    return result.output;
  };
};

describe('the host-function table', () => {
  test('every row has a name and a Wasm type of its own', () => {
    expect(hostFunctions.size).toBeGreaterThan(100);
    for (const [name, row] of hostFunctions) {
      expect(name).toMatch(/^ext_[a-z0-9_]+_version_\d$/);
      expect(`${row.params}:${row.results}`).toMatch(/^[iI]*:[iI]?$/);
    }
  });
  test('storage answers are SCALE options', () => {
    const get = asking('ext_storage_get_version_1');
    const overlay = newOverlay();
    overlay.set(Uint8Array.of(1), new Uint8Array(70).fill(7));
    expect(get(Uint8Array.of(2), overlay)).toEqual(Uint8Array.of(0));
    expect(get(Uint8Array.of(1), overlay)).toEqual(Uint8Array.of(1, 0x19, 0x01, ...new Array(70).fill(7)));
    const next = asking('ext_storage_next_key_version_1');
    expect(next(noBytes, overlay)).toEqual(Uint8Array.of(1, 4, 1));
    expect(next(Uint8Array.of(1), overlay)).toEqual(Uint8Array.of(0));
  });
  test('offchain functions trap without their extension', () => {
    expect(() => asking('ext_offchain_submit_transaction_version_1')(noBytes)).toThrow(/not available/);
  });
  test('the version of code that is no runtime is None', () => {
    expect(asking('ext_misc_runtime_version_version_1')(Uint8Array.of(1, 2, 3))).toEqual(Uint8Array.of(0));
  });
});

type Spec = { genesis: { raw: { top: Record<string, string> } } };
describe.skipIf(!hasFixtures)('ext_misc_runtime_version inside a call', () => {
  const files = ['node-template-raw.json', 'westend-raw.json', 'coretime-polkadot-raw.json'];
  test.each(files)('tells the version of %s', async (file) => {
    const { top } = (await loadFixtureJson<Spec>(`chains/${file}`)).genesis.raw;
    const code = hexToBytes(top['0x3a636f6465'] ?? '');
    const answer = new Reader(asking('ext_misc_runtime_version_version_1')(code)).option((reader) =>
      reader.vecBytes(),
    );
    const direct = createExecutor({ crypto }).load(crypto.blake2b256(code), code).version;
    expect(decodeRuntimeVersion(answer ?? noBytes)).toEqual(direct);
  });
});
