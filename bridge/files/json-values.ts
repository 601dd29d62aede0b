import { concatBytes } from '../../worker/bytes/bytes.ts';

/**
 * A JSON value as text, with the line on which it begins, counted from 1. The text is not parsed and may be
 * malformed.
 */
export type JsonText = { readonly text: string; readonly line: number };

/** Maximum size of one value in bytes. The largest blocks are a few MB. */
const maxBytes = 128 * 1024 * 1024;

const code = (character: string): number => character.charCodeAt(0);
const [newline, quote, backslash] = [code('\n'), code('"'), code('\\')];
const opening: readonly number[] = [code('{'), code('[')];
const closing: readonly number[] = [code('}'), code(']')];
/** Characters that may precede an object or list nested in another one. */
const leading: readonly number[] = [code(':'), code(','), code('[')];
/** Treats a byte order mark, which some editors write, as whitespace. */
const space: readonly number[] = [0x20, 0x09, 0x0d, newline, 0xef, 0xbb, 0xbf];

/**
 * Finds the boundaries of values. A value is an object or a list, or a line's rest if it begins with neither.
 * `end` is called with the index after the value's last byte.
 */
const createScanner = (begin: (index: number) => void, end: (index: number) => void) => {
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  let isWithin = false;
  let last = 0;
  const finish = (index: number): void => {
    end(index);
    depth = 0;
    isText = false;
    isWithin = false;
  };
  const scanText = (byte: number, index: number): void => {
    if (isEscaped) isEscaped = false;
    else if (byte === backslash) isEscaped = true;
    else if (byte === quote) isText = false;
    // JSON strings contain no line breaks, so the line was cut off.
    else if (byte === newline) finish(index);
  };
  const scanRest = (byte: number, index: number): void => {
    if (byte === newline && depth === 0) finish(index);
    if (space.includes(byte)) return;
    if (opening.includes(byte)) {
      // No value may begin here, so the enclosing one was cut off.
      if (depth > 0 && !leading.includes(last)) {
        finish(index);
        isWithin = true;
        begin(index);
      }
      depth++;
    } else if (closing.includes(byte) && depth > 0) {
      depth--;
      if (depth === 0) finish(index + 1);
    } else if (byte === quote && depth > 0) isText = true;
    last = byte;
  };
  return {
    isWithin: (): boolean => isWithin,
    scan: (byte: number, index: number): void => {
      if (!isWithin) {
        if (space.includes(byte)) return;
        isWithin = true;
        begin(index);
      }
      if (isText) scanText(byte, index);
      else scanRest(byte, index);
    },
  };
};

/**
 * The values of a stream of JSON: one per line, or concatenated as the SDK writes them. A malformed value
 * ends at the latest where the next one begins, so errors are reported with the right line.
 */
export async function* splitJson(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<JsonText> {
  const decoder = new TextDecoder();
  let pieces: Uint8Array[] = [];
  let size = 0;
  let line = 1;
  let beginLine = 1;
  let start = 0;
  let chunk: Uint8Array = new Uint8Array(0);
  const found: JsonText[] = [];
  const keep = (to: number): void => {
    size += to - start;
    pieces.push(chunk.subarray(start, to));
  };
  const take = (): void => {
    found.push({ text: decoder.decode(concatBytes(...pieces)), line: beginLine });
    pieces = [];
    size = 0;
  };
  const scanner = createScanner(
    (index) => {
      start = index;
      beginLine = line;
    },
    (index) => {
      keep(index);
      take();
    },
  );
  for await (chunk of chunks) {
    start = 0;
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index] as number;
      scanner.scan(byte, index);
      if (byte === newline) line++;
    }
    if (scanner.isWithin()) keep(chunk.length);
    yield* found.splice(0);
    if (size > maxBytes) break;
  }
  if (scanner.isWithin()) take();
  yield* found;
}
