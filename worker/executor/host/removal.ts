import { Reader } from '../../bytes/reader.ts';
import { Writer } from '../../bytes/writer.ts';
import type { Removal } from '../../state/overlay.ts';
import type { HostContext } from './context.ts';

/** Decodes an `Option<u32>` argument. */
export const decodeLimit = (host: HostContext, span: bigint): number | null =>
  new Reader(host.memory.view(span)).option((reader) => reader.u32());

/** Decodes an `Option<Vec<u8>>` argument into a copy. */
export const decodeCursor = (host: HostContext, span: bigint): Uint8Array | null =>
  new Reader(host.memory.copy(span)).option((reader) => reader.vecBytes());

/** Returns a KillStorageResult: 0 AllRemoved, 1 SomeRemaining, with the number of loops. */
export const writeRemovalCount = ({ memory }: HostContext, { cursor, loops }: Removal): bigint =>
  memory.allocWrite(
    new Writer(5)
      .u8(cursor === null ? 0 : 1)
      .u32(loops)
      .finish(),
  );

/** Returns MultiRemovalResults. */
export const writeRemoval = ({ memory }: HostContext, { cursor, backend, unique, loops }: Removal): bigint =>
  memory.allocWrite(
    new Writer()
      .option(cursor, (writer, key) => writer.vecBytes(key))
      .u32(backend)
      .u32(unique)
      .u32(loops)
      .finish(),
  );

/**
 * Returns the result of a `*_read`: copies as much as fits, and reports the full length from the offset on.
 */
export const writeRead = (
  host: HostContext,
  value: Uint8Array | null,
  out: bigint,
  offset: number,
): bigint => {
  const target = host.memory.view(out);
  if (value === null) return host.memory.allocWrite(Uint8Array.of(0));
  const rest = value.subarray(Math.min(offset >>> 0, value.length));
  target.set(rest.subarray(0, target.length));
  return host.memory.allocWrite(new Writer(5).u8(1).u32(rest.length).finish());
};
