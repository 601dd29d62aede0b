import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textToBytes } from '../../../worker/bytes/bytes.ts';
import { Writer } from '../../../worker/bytes/writer.ts';
import { loadCrypto } from '../../../worker/crypto/crypto.ts';
import { createExecutor } from '../../../worker/executor/executor.ts';
import { limitedOffchain, type OffchainHttpHost } from '../../../worker/executor/extensions.ts';
import { createEmptyBackend } from '../../../worker/state/backend.ts';
import { createOverlay } from '../../../worker/state/overlay.ts';
import { emptySource } from '../../../worker/trie/node-source.ts';
import { buildSpec, scripts, testRuntime } from './chain.ts';
import { startOurs } from './nodes.ts';
import { type Argument, bytesArgument, type Call, callOf, fromEnd, numberArgument } from './script.ts';

/**
 * What the host functions of a native node do with arguments that a compiler would not pass, as the comparison
 * has found it. These run without that node.
 */
let ours: Awaited<ReturnType<typeof startOurs>>;
beforeAll(async () => {
  ours = await startOurs(buildSpec(await loadCrypto(), 1));
}, 120_000);
afterAll(() => ours.close());

const invalidText = bytesArgument(Uint8Array.of(0xc3, 0x28));
const run = async (calls: readonly Call[], withKeystore = false): Promise<string[]> => {
  const outcome = await ours.run(calls, withKeystore);
  if (!outcome.ok) throw new Error(outcome.why);
  return outcome.results.map(({ bytes }) => bytes);
};
const root = (version: number): Call => callOf('ext_storage_root_version_2', version);

describe('arguments at their limits', () => {
  it('an empty span may begin at the end of the memory, but not behind it', async () => {
    const hash = 'ext_hashing_twox_64_version_1';
    expect(await run([callOf(hash, fromEnd(0))])).toEqual(await run([callOf(hash, '')]));
    await expect(run([callOf(hash, fromEnd(1))])).rejects.toThrow('outside the memory');
    await expect(run([callOf('ext_storage_get_version_1', fromEnd(1))])).rejects.toThrow(
      'outside the memory',
    );
  });

  it('an argument without a meaning is read nevertheless', async () => {
    const name = 'ext_storage_changes_root_version_1';
    expect(await run([callOf(name, 'hash')])).toEqual(['0x00']);
    await expect(run([callOf(name, fromEnd(0, 1))])).rejects.toThrow('outside the memory');
  });

  it('of a state version the lowest byte counts, and 2 means 1', async () => {
    const change = callOf('ext_storage_set_version_1', 'long', 'a value that version 1 stores by its hash');
    const [, ...roots] = await run([change, ...[0, 1, 256, 257, 2].map(root)]);
    const [zero, one] = roots;
    expect(zero).not.toBe(one);
    expect(roots).toEqual([zero, one, zero, one, one]);
    await expect(run([root(3)])).rejects.toThrow('3 is not a state version');
    await expect(run([root(255)])).rejects.toThrow('255 is not a state version');
    const list = bytesArgument(new Writer().compact(1).vecBytes(new Uint8Array(40)).finish());
    const ordered = (version: number): Call =>
      callOf('ext_trie_blake2_256_ordered_root_version_2', list, version);
    const [first, second, third] = await run([0, 1, 2].map(ordered));
    expect([first === second, third]).toEqual([false, second]);
  });

  it('a log entry has one of five levels and a target in UTF-8; its message may be anything', async () => {
    const log = (...args: readonly (Argument | string | number)[]): Call =>
      callOf('ext_logging_log_version_1', ...args);
    await run([log(4, 'runtime', 'text'), log(256, 'runtime', 'text'), log(0, 'runtime', invalidText)]);
    await expect(run([log(5, 'runtime', 'text')])).rejects.toThrow('5 is not a log level');
    await expect(run([log(0, invalidText, 'text')])).rejects.toThrow('not UTF-8');
  });

  it('a panic message is kept for the trap that follows', async () => {
    const panic = callOf('ext_panic_handler_abort_on_panic_version_1', 'a reason');
    expect(await run([panic, callOf('ext_storage_exists_version_1', 'a')])).toHaveLength(2);
    await expect(run([panic, root(9)])).rejects.toThrow('a reason');
    await expect(run([callOf(panic.name, invalidText)])).rejects.toThrow('not UTF-8');
  });

  it('what describes a span must decode, and the id of a span is not 0', async () => {
    for (const name of ['enabled', 'enter_span', 'event'])
      await expect(run([callOf(`ext_wasm_tracing_${name}_version_1`, 'x')])).rejects.toThrow(
        /data|Option|announced/,
      );
    await run([callOf('ext_wasm_tracing_exit_version_1', 1)]);
    await expect(run([callOf('ext_wasm_tracing_exit_version_1', 0)])).rejects.toThrow('not a span id');
  });
});

describe('results that depend on earlier calls', () => {
  it('the root of a child that was not changed is the stored one, whatever was appended to its key', async () => {
    const childRoot = (name: string): Call => callOf('ext_default_child_storage_root_version_2', name, 1);
    const append = (name: string): Call =>
      callOf('ext_storage_append_version_1', `:child_storage:default:${name}`, 'item');
    const before = await run([childRoot('c1'), childRoot('new')]);
    const [, , ...after] = await run([append('c1'), append('new'), childRoot('c1'), childRoot('new')]);
    expect(after).toEqual(before);
  });

  it('a key that is generated again is listed once', async () => {
    const generate = callOf('ext_crypto_sr25519_generate_version_1', 'test', '\x01\x14//Bob');
    const list = callOf('ext_crypto_sr25519_public_keys_version_1', 'test');
    const [key] = await run([generate], true);
    const [, keys] = await run([generate, list], true);
    expect(keys).toBe(`0x04${key?.slice(2)}`);
  });
});

describe('numbers that are narrower than their parameter', () => {
  /** One call of a runtime that has an offchain extension. */
  const runOffchain = async (name: string, args: readonly Argument[]): Promise<unknown[]> => {
    const crypto = await loadCrypto();
    const given: unknown[] = [];
    const http = { addHeader: (id: number) => given.push(id) > 0 } as unknown as OffchainHttpHost;
    const setAuthorizedNodes = (_: unknown, only: boolean) => void given.push(only);
    const offchain = limitedOffchain('not in this test', { http, setAuthorizedNodes });
    const overlay = createOverlay(createEmptyBackend({ blake2b256: crypto.blake2b256, source: emptySource }));
    const code = testRuntime(crypto, 1);
    const runtime = createExecutor({ crypto }).load(crypto.blake2b256(code), code);
    const script = scripts.encodeScript([{ name, args }]);
    const result = runtime.call(overlay, 'run', script, { extensions: { offchain } });
    if (!result.ok) throw new Error(result.trap);
    return given;
  };
  const text = bytesArgument(textToBytes('x'));

  it.each([
    [7, 7],
    [65_543, 7],
    [2 ** 32 - 1, 65_535],
  ])('the id %i of an HTTP request means %i', async (given, meant) => {
    const args = [numberArgument(given), text, text];
    expect(await runOffchain('ext_offchain_http_request_add_header_version_1', args)).toEqual([meant]);
  });

  it.each([
    [0, false],
    [1, true],
    [2, false],
    [257, false],
  ])('the bool %i is %s', async (given, meant) => {
    const args = [bytesArgument(Uint8Array.of(0)), numberArgument(given)];
    expect(await runOffchain('ext_offchain_set_authorized_nodes_version_1', args)).toEqual([meant]);
  });
});
