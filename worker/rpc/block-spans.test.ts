import { expect, it } from 'vitest';
import { textToBytes } from '../bytes/bytes.ts';
import { Writer } from '../bytes/writer.ts';
import type { BlockHash } from '../codec/identity.ts';
import { loadCrypto } from '../crypto/crypto.ts';
import { createExecutor } from '../executor/executor.ts';
import type { CallExtensions } from '../executor/extensions.ts';
import { buildTinyModule, tinyTypes } from '../executor/tiny-module.fixture.ts';
import { createEmptyBackend } from '../state/backend.ts';
import { createOverlay, type Overlay } from '../state/overlay.ts';
import { emptySource } from '../trie/node-source.ts';
import { traceBlock } from './methods/state/block-trace.ts';
import { createBudget } from './methods/state/walks.ts';
import type { RpcParts } from './parts.ts';

const crypto = await loadCrypto();

/** Local 1 in the upper half, local 0 in the lower: the input as a span of bytes. */
const input = [0x20, 1, 0xad, 0x42, 32, 0x86, 0x20, 0, 0xad, 0x84];
/** Uses the number on the stack as the length of the output. */
const asLength = [0x42, 32, 0x86, 0x42, 16, 0x84];

/**
 * A runtime that passes its input to the host's tracing functions and returns as many bytes as they return.
 */
const code = buildTinyModule({
  imports: [
    ['ext_wasm_tracing_enter_span_version_1', tinyTypes.spanToSpan],
    ['ext_wasm_tracing_enabled_version_1', tinyTypes.spanToFlag],
  ],
  functions: {
    enter: [...input, 0x10, 0, ...asLength],
    enabled: [...input, 0x10, 1, 0xad, ...asLength],
  },
});
const runtime = createExecutor({ crypto }, {}).load(crypto.blake2b256(code), code);
const newOverlay = (): Overlay =>
  createOverlay(createEmptyBackend({ blake2b256: crypto.blake2b256, source: emptySource }));

const [error, info, debug, trace] = [0, 2, 3, 4];
type Said = { name: string; target: string; level: number; isSpan?: boolean };
const metadata = (writer: Writer, { name, target, level, isSpan = true }: Said): Writer =>
  writer
    .vecBytes(textToBytes(name))
    .vecBytes(textToBytes(target))
    .u8(level)
    .vecBytes(textToBytes('lib.rs'))
    .u32(7)
    .vecBytes(textToBytes('module::path'))
    .bool(isSpan)
    .compact(1)
    .vecBytes(textToBytes('field'));
/** SCALE WasmEntryAttributes with one field, whose value is a string. */
const attributes = (said: Said, parent: bigint | null): Uint8Array => {
  const writer = metadata(
    new Writer().option(parent, (out, id) => out.u64(id)),
    said,
  );
  return writer.compact(1).vecBytes(textToBytes('field')).u8(1).u8(7).vecBytes(textToBytes('value')).finish();
};

const call = (overlay: Overlay, extensions: CallExtensions, method: string, data: Uint8Array): number => {
  const result = runtime.call(overlay, method, data, { fuel: 'small', extensions });
  if (!result.ok) throw new Error(result.trap);
  return result.output.length;
};

/**
 * `state_traceBlock` of a block in which the runtime enters these spans. The whole run is repeated on each
 * attempt.
 */
const spansOf = async (
  targets: string | null,
  spans: readonly (readonly [Said, bigint | null])[],
  attempts = 1,
): Promise<{ spans: unknown[]; ids: number[] }> => {
  let ids: number[] = [];
  const header = { parentHash: new Uint8Array(32), number: 1 };
  const chain = {
    loadHeader: async () => header,
    loadBlock: async () => ({ header, extrinsics: [] }),
    reexecute: async (
      _block: unknown,
      observe: (overlay: Overlay) => Overlay,
      extensions: CallExtensions,
    ) => {
      for (let attempt = 0; attempt < attempts; attempt++) {
        const overlay = observe(newOverlay());
        ids = spans.map(([said, parent]) => call(overlay, extensions, 'enter', attributes(said, parent)));
      }
      return { result: { ok: true } };
    },
  } as unknown as RpcParts['chain'];
  const request = { targets, storageKeys: null, methods: null };
  const budget = createBudget({ maxResponseBytes: 1e6 });
  const { blockTrace } = await traceBlock({ chain }, `0x${'11'.repeat(32)}` as BlockHash, request, budget);
  return { spans: blockTrace.spans, ids };
};

const execute = { name: 'execute_block', target: 'frame_executive', level: info };
const transfer = { name: 'transfer', target: 'pallet_balances', level: trace };
const other = { name: 'other', target: 'elsewhere', level: error };

it('returns the spans of the requested targets that a runtime enters', async () => {
  const named = (said: Said, id: number, parentId: number | null = null) => {
    const { name, target } = said;
    return { id, parentId, name, target, wasm: true };
  };
  const all = [
    [execute, null],
    [other, null],
    [transfer, 1n],
  ] as const;
  expect(await spansOf(null, all)).toEqual({
    spans: [named(execute, 1), named(transfer, 3, 1)],
    ids: [1, 2, 3],
  });
  // The node's own span comes first if it is requested.
  const own = { id: 1, parentId: null, name: 'trace_block', target: 'block_trace', wasm: false };
  expect(await spansOf('block_trace,elsewhere', all)).toEqual({
    spans: [own, named(other, 3)],
    ids: [2, 3, 4],
  });
  expect((await spansOf('pallet=debug,frame=info', all)).spans).toEqual([named(execute, 1)]);
  expect((await spansOf('', all)).spans).toHaveLength(4);
  // An attempt that was aborted by a missing node is not counted.
  expect(await spansOf('frame', all, 3)).toEqual({ spans: [named(execute, 1)], ids: [1, 2, 3] });
});

it('enables spans while a block is traced, but not for events and other calls', () => {
  const tracing = { isEnabled: ({ isSpan }: { isSpan: boolean }) => isSpan, enter: () => 9n };
  const ask = (said: Said, extensions: CallExtensions): number =>
    call(newOverlay(), extensions, 'enabled', metadata(new Writer(), said).finish());
  expect(ask({ ...execute, level: debug }, { tracing })).toBe(1);
  expect(ask({ ...execute, isSpan: false }, { tracing })).toBe(0);
  expect(ask(execute, {})).toBe(0);
  expect(call(newOverlay(), {}, 'enter', attributes(execute, null))).toBe(0);
  expect(call(newOverlay(), { tracing }, 'enter', attributes(execute, null))).toBe(9);
});
