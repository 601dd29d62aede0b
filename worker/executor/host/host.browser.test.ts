import { describe, expect, test } from 'vitest';
import { hasFixtures, loadFixtureJson } from '../../../test/rigs/fixtures.ts';
import { bytesToKey, noBytes, textToBytes } from '../../bytes/bytes.ts';
import { hexToBytes } from '../../bytes/hex.ts';
import { Reader } from '../../bytes/reader.ts';
import { Writer } from '../../bytes/writer.ts';
import { decodeRuntimeVersion } from '../../codec/runtime-version.ts';
import { loadCrypto } from '../../crypto/crypto.ts';
import { createKeystore } from '../../keystore/keystore.ts';
import { createEmptyBackend } from '../../state/backend.ts';
import { createOverlay } from '../../state/overlay.ts';
import { emptySource } from '../../trie/node-source.ts';
import { createExecutor } from '../executor.ts';
import { buildTinyModule, tinyTypes } from '../tiny-module.fixture.ts';
import { hostFunctions } from './index.ts';

const crypto = await loadCrypto();
const newOverlay = () =>
  createOverlay(createEmptyBackend({ blake2b256: crypto.blake2b256, source: emptySource }));

/** Wasm that pushes the span of the whole input. */
const inputSpan = [0x20, 1, 0xad, 0x42, 32, 0x86, 0x20, 0, 0xad, 0x84];
/** A runtime whose `ask` passes its input to one host function and returns the result. */
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
  test('every row has its own name and a Wasm type', () => {
    expect(hostFunctions.size).toBeGreaterThan(100);
    for (const [name, row] of hostFunctions) {
      expect(name).toMatch(/^ext_[a-z0-9_]+_version_\d$/);
      expect(`${row.params}:${row.results}`).toMatch(/^[iI]*:[iI]?$/);
    }
  });
  test('storage reads return SCALE options', () => {
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
  test('the version of code that is not a runtime is None', () => {
    expect(asking('ext_misc_runtime_version_version_1')(Uint8Array.of(1, 2, 3))).toEqual(Uint8Array.of(0));
  });
});

describe('keys', () => {
  const keystore = createKeystore({ crypto, db: null });
  /** The input is the key type, then the URI. */
  const rest = [0x20, 1, 0x41, 4, 0x6b, 0xad, 0x42, 32, 0x86, 0x20, 0, 0x41, 4, 0x6a, 0xad, 0x84];
  const code = buildTinyModule({
    imports: [['ext_crypto_sr25519_generate_version_1', tinyTypes.pointerAndSpan]],
    functions: { make: [0x20, 0, ...rest, 0x10, 0, 0xad, 0x42, 32, 0x42, 32, 0x86, 0x84] },
  });
  const runtime = createExecutor({ crypto }).load(crypto.blake2b256(code), code);
  const make = (keyType: readonly number[], suri: string) => {
    const option = new Writer().option(textToBytes(suri), (writer, bytes) => writer.vecBytes(bytes)).finish();
    const input = Uint8Array.of(...keyType, ...option);
    return runtime.call(newOverlay(), 'make', input, { extensions: { keystore } });
  };
  const test4 = [...textToBytes('test')];
  test.each(['//Alice//', 'no such words'])('the secret URI "%s" traps', (suri) => {
    expect(make(test4, suri)).toMatchObject({ ok: false, kind: 'trap' });
  });
  test('any four bytes are a key type', () => {
    const { publicKey } = crypto.suriToPair('//Bob', 'sr25519');
    const name = '\u00ff\u0000\u00c3(';
    expect(make([0xff, 0, 0xc3, 0x28], '//Bob')).toMatchObject({ ok: true, output: publicKey });
    expect(keystore.publicKeys(name, 'sr25519')).toEqual([publicKey]);
    expect(keystore.has('test', publicKey)).toBe(false);
  });
});

describe('text that is not UTF-8', () => {
  test('in the metadata of a span traps', () => {
    const imports = [['ext_wasm_tracing_enter_span_version_1', tinyTypes.spanToSpan]] as const;
    const code = buildTinyModule({ imports, functions: { enter: [...inputSpan, 0x10, 0] } });
    const runtime = createExecutor({ crypto }).load(crypto.blake2b256(code), code);
    const tracing = { isEnabled: () => true, enter: () => 1n };
    const input = Uint8Array.of(0, 8, 0xff, 0xfe);
    expect(runtime.call(newOverlay(), 'enter', input, { extensions: { tracing } })).toMatchObject({
      ok: false,
      kind: 'trap',
    });
  });
  test('in the version of other code: it is not a runtime', () => {
    const good = buildTinyModule({ functions: { a: inputSpan } });
    const bad = good.slice();
    bad.set([0xff, 0xfe], bytesToKey(bad).indexOf('tiny'));
    const ask = asking('ext_misc_runtime_version_version_1');
    expect(ask(good)[0]).toBe(1);
    expect(ask(bad)).toEqual(Uint8Array.of(0));
  });
});

type Spec = { genesis: { raw: { top: Record<string, string> } } };
describe.skipIf(!hasFixtures)('ext_misc_runtime_version inside a call', () => {
  const files = ['node-template-raw.json', 'westend-raw.json', 'coretime-polkadot-raw.json'];
  test.each(files)('returns the version of %s', async (file) => {
    const { top } = (await loadFixtureJson<Spec>(`chains/${file}`)).genesis.raw;
    const code = hexToBytes(top['0x3a636f6465'] ?? '');
    const answer = new Reader(asking('ext_misc_runtime_version_version_1')(code)).option((reader) =>
      reader.vecBytes(),
    );
    const direct = createExecutor({ crypto }).load(crypto.blake2b256(code), code).version;
    expect(decodeRuntimeVersion(answer ?? noBytes)).toEqual(direct);
  });
});
