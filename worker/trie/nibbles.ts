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

/**
 * Writes `count` nibbles to `out` at byte `offset` as in an encoded node: with an odd count, the first byte
 * contains one.
 */
export const packNibbles = (
  out: Uint8Array,
  offset: number,
  bytes: Uint8Array,
  start: number,
  count: number,
): number => {
  let from = start;
  let to = offset;
  const end = start + count;
  if ((count & 1) === 1) out[to++] = nibbleAt(bytes, from++);
  if ((from & 1) === 0) {
    for (let at = from >> 1; at < end >> 1; at++) out[to++] = bytes[at] as number;
    return to;
  }
  for (; from < end; from += 2) out[to++] = (nibbleAt(bytes, from) << 4) | nibbleAt(bytes, from + 1);
  return to;
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
  let at = count & 1;
  const push = (value: number): void => {
    const byte = at >> 1;
    out[byte] = (out[byte] as number) | ((at & 1) === 0 ? value << 4 : value);
    at++;
  };
  for (let i = 0; i < a.partialCount; i++) push(nibbleAt(a.partial, a.partialStart + i));
  push(nibble);
  for (let i = 0; i < b.partialCount; i++) push(nibbleAt(b.partial, b.partialStart + i));
  return out;
};
