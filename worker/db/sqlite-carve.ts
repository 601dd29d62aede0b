/** A record as found in the file: it has to prove itself. */
export type Carved = readonly [key: Uint8Array, value: Uint8Array];

export type Pages = {
  readonly count: number;
  /** A page by its number; the first is 1. */
  read(number: number): Uint8Array;
};

export const sqlitePageSize = 4096;

// https://www.sqlite.org/fileformat2.html#b_tree_pages
const interiorIndex = 2;
const leafIndex = 10;
/** Payload beyond this goes to overflow pages, of which at least so much stays. */
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

/** Both columns, where both are blobs. */
const readRecord = (payload: Uint8Array): Carved | null => {
  const [headerSize, first] = varint(payload, 0);
  const [keyType, second] = varint(payload, first);
  const [valueType, end] = varint(payload, second);
  if (end !== headerSize || keyType < 12 || valueType < 12 || (keyType | valueType) % 2 === 1) return null;
  const [keySize, valueSize] = [(keyType - 12) / 2, (valueType - 12) / 2];
  if (headerSize + keySize + valueSize !== payload.length) return null;
  return [payload.subarray(headerSize, headerSize + keySize), payload.subarray(headerSize + keySize)];
};

/** Pages that hold nothing any more: what they held before was deleted. */
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

/** Every record that a page of an SQLite file holds, in whatever order; SQLite itself may find none of them. */
export function* carveRecords(pages: Pages): Generator<Carved> {
  const free = freePages(pages);
  for (let number = 1; number <= pages.count; number++) {
    if (free.has(number)) continue;
    const page = pages.read(number);
    const start = number === 1 ? 100 : 0;
    const isInterior = page[start] === interiorIndex;
    if (!isInterior && page[start] !== leafIndex) continue;
    const cells = Math.min(u16(page, start + 3), sqlitePageSize / 4);
    for (let cell = 0; cell < cells; cell++) {
      const at = u16(page, start + (isInterior ? 12 : 8) + 2 * cell) + (isInterior ? 4 : 0);
      const payload = at >= sqlitePageSize ? null : readPayload(pages, page, at);
      const record = payload === null ? null : readRecord(payload);
      if (record !== null) yield record;
    }
  }
}
