/** A record found in the file, not yet verified. */
export type Carved = readonly [key: Uint8Array, value: Uint8Array];

export type Pages = {
  readonly count: number;
  /** A page by its number, starting at 1. */
  read(number: number): Uint8Array;
};

export const sqlitePageSize = 4096;

// https://www.sqlite.org/fileformat2.html#b_tree_pages
const interiorIndex = 2;
const leafIndex = 10;
/** Larger payloads continue on overflow pages; at least this much stays. */
const maxLocal = Math.floor(((sqlitePageSize - 12) * 64) / 255) - 23;
const minLocal = Math.floor(((sqlitePageSize - 12) * 32) / 255) - 23;

const u16 = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
const u32 = (bytes: Uint8Array, at: number): number => u16(bytes, at) * 0x1_0000 + u16(bytes, at + 2);

/** A varint of up to 9 bytes, big-endian, and where it ends. */
const varint = (bytes: Uint8Array, from: number): readonly [value: number, end: number] => {
  let value = 0;
  for (let at = from; at < from + 8; at++) {
    const byte = bytes[at] ?? 0;
    value = value * 128 + (byte & 127);
    if (byte < 128) return [value, at + 1];
  }
  return [value * 256 + (bytes[from + 8] ?? 0), from + 9];
};

const readPayload = (pages: Pages, page: Uint8Array, at: number): Uint8Array | null => {
  const [size, start] = varint(page, at);
  if (size > pages.count * sqlitePageSize) return null;
  if (size <= maxLocal) return page.slice(start, start + size);
  const fitting = minLocal + ((size - minLocal) % (sqlitePageSize - 4));
  const local = fitting <= maxLocal ? fitting : minLocal;
  const out = new Uint8Array(size);
  out.set(page.subarray(start, start + local));
  let next = u32(page, start + local);
  for (let filled = local; filled < size; filled += sqlitePageSize - 4) {
    if (next < 1 || next > pages.count) return null;
    const overflow = pages.read(next);
    out.set(overflow.subarray(4, 4 + Math.min(sqlitePageSize - 4, size - filled)), filled);
    next = u32(overflow, 0);
  }
  return out;
};

type Layout = { readonly keyAt: number; readonly valueAt: number; readonly end: number };

/** The positions of key and value in a record. Null if it does not consist of two blobs. */
const readLayout = (bytes: Uint8Array, start: number): Layout | null => {
  const [headerSize, first] = varint(bytes, start);
  const [keyType, second] = varint(bytes, first);
  const [valueType, end] = varint(bytes, second);
  if (end - start !== headerSize || keyType < 12 || valueType < 12) return null;
  if (keyType % 2 === 1 || valueType % 2 === 1) return null;
  const valueAt = end + (keyType - 12) / 2;
  return { keyAt: end, valueAt, end: valueAt + (valueType - 12) / 2 };
};

const readRecord = (payload: Uint8Array): Carved | null => {
  const layout = readLayout(payload, 0);
  if (layout === null || layout.end !== payload.length) return null;
  return [payload.subarray(layout.keyAt, layout.valueAt), payload.subarray(layout.valueAt)];
};

/** Free pages: their former content was deleted. */
const freePages = (pages: Pages): ReadonlySet<number> => {
  const free = new Set<number>();
  let trunk = u32(pages.read(1), 32);
  while (trunk > 0 && trunk <= pages.count && !free.has(trunk)) {
    free.add(trunk);
    const page = pages.read(trunk);
    const count = Math.min(u32(page, 4), sqlitePageSize / 4 - 2);
    for (let i = 0; i < count; i++) free.add(u32(page, 8 + 4 * i));
    trunk = u32(page, 0);
  }
  return free;
};

/** The offsets of a page's cells, according to the page. */
const listCells = (page: Uint8Array, start: number): number[] => {
  const isInterior = page[start] === interiorIndex;
  if (!isInterior && page[start] !== leafIndex) return [];
  const count = Math.min(u16(page, start + 3), sqlitePageSize / 4);
  const first = start + (isInterior ? 12 : 8);
  return Array.from({ length: count }, (_, cell) => u16(page, first + 2 * cell) + (isInterior ? 4 : 0));
};

const readCell = (pages: Pages, page: Uint8Array, at: number): Carved | null => {
  if (at >= sqlitePageSize) return null;
  const payload = readPayload(pages, page, at);
  return payload === null ? null : readRecord(payload);
};

/** Whether a record may start there. Its sizes rule out most offsets. */
const mayBegin = (page: Uint8Array, at: number): boolean => {
  const [size, start] = varint(page, at);
  return readLayout(page, start)?.end === start + size;
};

/**
 * Every record on a page of an SQLite file, in any order, including those that SQLite cannot find. Cells
 * listed by a page in use are marked as listed; other matches in it may be outdated.
 */
export function* carveRecords(
  pages: Pages,
): Generator<{ readonly record: Carved; readonly isListed: boolean }> {
  const free = freePages(pages);
  for (let number = 1; number <= pages.count; number++) {
    if (free.has(number)) continue;
    const page = pages.read(number);
    for (const at of listCells(page, number === 1 ? 100 : 0)) {
      const record = readCell(pages, page, at);
      if (record !== null) yield { record, isListed: true };
    }
  }
  for (let number = 1; number <= pages.count; number++) {
    const page = pages.read(number);
    for (let at = 0; at < sqlitePageSize; at++) {
      const record = mayBegin(page, at) ? readCell(pages, page, at) : null;
      if (record !== null) yield { record, isListed: false };
    }
  }
}
