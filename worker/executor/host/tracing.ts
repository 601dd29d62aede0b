import { Reader } from '../../bytes/reader.ts';
import type { TraceEntry } from '../extensions.ts';
import type { HostContext, HostFunction } from './context.ts';

/**
 * The used part of sp-tracing's WasmMetadata: name, target, level, file, line, module path, and whether it is
 * a span.
 */
const readMetadata = (reader: Reader): TraceEntry => {
  const name = reader.text();
  const target = reader.text();
  const level = reader.u8();
  reader.vecBytes();
  reader.u32();
  reader.vecBytes();
  return { name, target, level, isSpan: reader.bool() };
};

const enter = (host: HostContext, attributes: Uint8Array): bigint => {
  const { tracing } = host.call.extensions;
  if (tracing === undefined) return 0n;
  const reader = new Reader(attributes);
  const parentId = reader.option((from) => from.u64());
  return tracing.enter(readMetadata(reader), parentId);
};

/** Spans of a runtime built with tracing; only `state_traceBlock` records them. */
export const tracingFunctions: readonly HostFunction[] = [
  {
    name: 'ext_wasm_tracing_enabled_version_1',
    params: 'I',
    results: 'i',
    create: (host) => (metadata: bigint) =>
      host.call.extensions.tracing?.isEnabled(readMetadata(new Reader(host.memory.take(metadata)))) === true
        ? 1
        : 0,
  },
  {
    name: 'ext_wasm_tracing_enter_span_version_1',
    params: 'I',
    results: 'I',
    create: (host) => (span: bigint) => enter(host, host.memory.take(span)),
  },
  { name: 'ext_wasm_tracing_event_version_1', params: 'I', results: '', create: () => () => undefined },
  { name: 'ext_wasm_tracing_exit_version_1', params: 'I', results: '', create: () => () => undefined },
];
