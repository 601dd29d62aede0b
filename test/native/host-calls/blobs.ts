import { concatBytes } from '../../../worker/bytes/bytes.ts';
import { encodeRuntimeVersion } from '../../../worker/codec/runtime-version.ts';
import type { HostFunction } from '../../../worker/executor/host/context.ts';
import { encodeLeb } from '../../../worker/executor/leb.ts';
import {
  buildTinyModule,
  wasmBody,
  wasmMagic,
  wasmSection,
  wasmText,
  wasmVector,
} from '../../../worker/executor/tiny-module.fixture.ts';
import { createTypes, importFunction, importMemory } from './imports.ts';
import { toI32, toI64 } from './interpreter.ts';

/** Code blobs for `ext_misc_runtime_version`: runtimes with their version in sections, and what is none. */
export const runtimeBlobs: readonly Uint8Array[] = [
  buildTinyModule({ functions: {} }),
  buildTinyModule({ functions: {}, ownMemory: true }),
  new Uint8Array(0),
  Uint8Array.from(wasmMagic),
  Uint8Array.of(0, 0x61, 0x73, 0x6d, 2, 0, 0, 0),
  new Uint8Array(100).fill(7),
  // The prefix of compressed code without a frame, and with half of one.
  Uint8Array.of(0x52, 0xbc, 0x53, 0x76, 0x46, 0xdb, 0x8e, 0x05),
  Uint8Array.of(0x52, 0xbc, 0x53, 0x76, 0x46, 0xdb, 0x8e, 0x05, 0x28, 0xb5, 0x2f, 0xfd, 0x24),
  // A section that ends beyond the module.
  Uint8Array.of(...wasmMagic, 1, 100),
];

const version = encodeRuntimeVersion({
  specName: 'calling',
  implName: 'calling',
  authoringVersion: 1,
  specVersion: 1,
  implVersion: 1,
  apis: [],
  transactionVersion: 1,
  systemVersion: 1,
});

/**
 * A runtime without sections, whose `Core_version` calls one host function with zeros before it returns. The
 * node that is asked for its version calls that; it has none if the call traps.
 */
export const buildCallingRuntime = (row: HostFunction): Uint8Array => {
  const types = createTypes();
  const entry = types.index('ii', 'I');
  const at = 256;
  const imports = [importFunction(row, types), importMemory(1)];
  const body = wasmBody([
    ...[...row.params].flatMap((type) => (type === 'i' ? toI32(0) : toI64(0n))),
    ...[0x10, 0, ...(row.results === '' ? [] : [0x1a])],
    ...toI64(BigInt(at) | (BigInt(version.length) << 32n)),
  ]);
  const exported = [
    [...wasmText('Core_version'), 0, 1],
    [...wasmText('__heap_base'), 3, 0],
  ];
  const parts = [
    wasmMagic,
    types.section(),
    wasmSection(2, wasmVector(imports)),
    wasmSection(3, wasmVector([[entry]])),
    wasmSection(6, wasmVector([[0x7f, 0, ...toI32(1024), 0x0b]])),
    wasmSection(7, wasmVector(exported)),
    wasmSection(10, wasmVector([body])),
    wasmSection(11, wasmVector([[0, ...toI32(at), 0x0b, ...encodeLeb(version.length), ...version]])),
  ];
  return concatBytes(...parts.map((part) => Uint8Array.from(part)));
};
