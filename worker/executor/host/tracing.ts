import { Reader } from '../../bytes/reader.ts';
import type { TraceEntry } from '../extensions.ts';
import { Trap } from '../trap.ts';
import { checkVariant, type HostContext, type HostFunction } from './context.ts';

/** A name in a span's description. Bytes that are not UTF-8 do not trap. */
const readName = (reader: Reader): string => new TextDecoder().decode(reader.vecBytes());

/**
 * sp-tracing's WasmMetadata: name, target, level, file, line, module path, whether it is a span, and the names
 * of its fields.
 */
const readMetadata = (reader: Reader): TraceEntry => {
  const name = readName(reader);
  const target = readName(reader);
  const level = checkVariant(reader.u8(), 4, 'log level');
  reader.vecBytes();
  reader.u32();
  reader.vecBytes();
  const isSpan = reader.bool();
  reader.vec((from) => from.vecBytes());
  return { name, target, level, isSpan };
};

/** sp-tracing's WasmValue: numbers of 1, 1, 4, 4, 8 and 8 bytes, a bool, or one of three vectors of bytes. */
const skipValue = (reader: Reader): void => {
  const variant = checkVariant(reader.u8(), 9, 'traced value');
  if (variant > 6) reader.vecBytes();
  else if (variant === 6) reader.bool();
  else reader.skip(variant < 2 ? 1 : variant < 4 ? 4 : 8);
};

/** sp-tracing's WasmEntryAttributes: parent, metadata, and values of fields, which are not used. */
const readAttributes = (reader: Reader): { readonly parentId: bigint | null; readonly entry: TraceEntry } => {
  const parentId = reader.option((from) => from.u64());
  const entry = readMetadata(reader);
  reader.vec((from) => [from.vecBytes(), from.option(skipValue)]);
  return { parentId, entry };
};

const enter = (host: HostContext, attributes: Uint8Array): bigint => {
  const { parentId, entry } = readAttributes(new Reader(attributes));
  return host.call.extensions.tracing?.enter(entry, parentId) ?? 0n;
};

/** Spans of a runtime built with tracing; only `state_traceBlock` records them. */
export const tracingFunctions: readonly HostFunction[] = [
  {
    name: 'ext_wasm_tracing_enabled_version_1',
    params: 'I',
    results: 'i',
    create: (host) => (metadata: bigint) => {
      const entry = readMetadata(new Reader(host.memory.copy(metadata)));
      return host.call.extensions.tracing?.isEnabled(entry) === true ? 1 : 0;
    },
  },
  {
    name: 'ext_wasm_tracing_enter_span_version_1',
    params: 'I',
    results: 'I',
    create: (host) => (span: bigint) => enter(host, host.memory.copy(span)),
  },
  {
    name: 'ext_wasm_tracing_event_version_1',
    params: 'I',
    results: '',
    create: (host) => (event: bigint) => {
      readAttributes(new Reader(host.memory.copy(event)));
    },
  },
  {
    name: 'ext_wasm_tracing_exit_version_1',
    params: 'I',
    results: '',
    create: () => (id: bigint) => {
      if (id === 0n) throw new Trap('0 is not a span id');
    },
  },
];
