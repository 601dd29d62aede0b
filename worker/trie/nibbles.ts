/** Nibble `index` of packed bytes, high half first. */
export const nibbleAt = (bytes: Uint8Array, index: number): number => {
  const byte = bytes[index >> 1] as number;
  return (index & 1) === 0 ? byte >> 4 : byte & 15;
};

/** How many of `count` nibbles of `a` from `aStart` match those of `key` from `keyStart`. */
export const commonNibbles = (
  a: Uint8Array,
  aStart: number,
  count: number,
  key: Uint8Array,
  keyStart: number,
): number => {
  const left = key.length * 2 - keyStart;
  const max = count < left ? count : left;
  let i = 0;
  if (((aStart ^ keyStart) & 1) === 0) {
    if ((aStart & 1) === 1 && max > 0) {
      if (nibbleAt(a, aStart) !== nibbleAt(key, keyStart)) return 0;
      i = 1;
    }
    let at = (aStart + i) >> 1;
    let keyAt = (keyStart + i) >> 1;
    while (i + 1 < max && a[at] === key[keyAt]) {
      i += 2;
      at++;
      keyAt++;
    }
  }
  while (i < max && nibbleAt(a, aStart + i) === nibbleAt(key, keyStart + i)) i++;
  return i;
};

/** The lowest key that begins with the first `count` nibbles of `bytes` and then `next`. */
export const lowestKeyThrough = (bytes: Uint8Array, count: number, next: number): Uint8Array => {
  const key = keyThrough(bytes, count, next);
  if ((count & 1) === 0) key[count >> 1] = next << 4;
  return key;
};

/**
 * A key that begins with the first `count` nibbles of `bytes` and then `next`: a lookup of it loads the node at this
 * place, whatever follows there.
 */
export const keyThrough = (bytes: Uint8Array, count: number, next: number): Uint8Array => {
  const last = count >> 1;
  const key = new Uint8Array(last + 1);
  key.set(bytes.subarray(0, (count + 1) >> 1));
  key[last] = (count & 1) === 0 ? (next << 4) | 15 : ((key[last] as number) & 0xf0) | next;
  return key;
};

/** Sets nibble `at`, and clears the other half of its byte if that one follows. */
export const setNibble = (bytes: Uint8Array, at: number, nibble: number): void => {
  const byte = at >> 1;
  bytes[byte] = (at & 1) === 0 ? nibble << 4 : ((bytes[byte] as number) & 0xf0) | nibble;
};

/** Copies `count` nibbles of `from`, starting at `start`, to nibble `at` of `bytes`. */
export const copyNibbles = (
  bytes: Uint8Array,
  at: number,
  from: Uint8Array,
  start: number,
  count: number,
): void => {
  let i = 0;
  if (((at ^ start) & 1) === 0) {
    if ((at & 1) === 1 && count > 0) setNibble(bytes, at, nibbleAt(from, start + i++));
    for (; i + 1 < count; i += 2) bytes[(at + i) >> 1] = from[(start + i) >> 1] as number;
  }
  for (; i < count; i++) setNibble(bytes, at + i, nibbleAt(from, start + i));
};

/**
 * Writes `count` nibbles to `out` at byte `offset` as in an encoded node: with an odd count, the first byte contains one.
 * Returns the offset after them.
 */
export const packNibbles = (
  out: Uint8Array,
  offset: number,
  bytes: Uint8Array,
  start: number,
  count: number,
): number => {
  copyNibbles(out, offset * 2 + (count & 1), bytes, start, count);
  return offset + ((count + 1) >> 1);
};

/** A range of nibbles in packed bytes: the partial key of a node. */
export type PartialKey = {
  readonly partial: Uint8Array;
  readonly partialStart: number;
  readonly partialCount: number;
};

/**
 * `a`'s partial key, then one nibble, then `b`'s, as in an encoded node: the key of a branch merged with its
 * only child.
 */
export const joinPartials = (a: PartialKey, nibble: number, b: PartialKey): Uint8Array => {
  const count = a.partialCount + 1 + b.partialCount;
  const out = new Uint8Array((count + 1) >> 1);
  const at = (count & 1) + a.partialCount;
  copyNibbles(out, count & 1, a.partial, a.partialStart, a.partialCount);
  setNibble(out, at, nibble);
  copyNibbles(out, at + 1, b.partial, b.partialStart, b.partialCount);
  return out;
};
