import type { HostHashes } from './host/context.ts';

type Hash = (data: Uint8Array) => Uint8Array;

/** Only short inputs repeat: parts of storage keys, and account ids. */
const maxBytes = 48;
const slots = 1024;

/**
 * A bounded memo for short inputs, with one slot per content hash, which the newest input takes. Results are
 * shared: host functions copy them into the runtime's memory and never modify them.
 */
export const createHashMemo = (hash: Hash): Hash => {
  const inputs = new Uint8Array(slots * maxBytes);
  const lengths = new Int32Array(slots).fill(-1);
  const answers: (Uint8Array | undefined)[] = new Array(slots);
  return (data) => {
    const { length } = data;
    if (length > maxBytes) return hash(data);
    let mixed = length;
    for (let i = 0; i < length; i++) mixed = Math.imul(mixed ^ (data[i] as number), 0x01000193);
    const slot = (mixed ^ (mixed >>> 15)) & (slots - 1);
    const base = slot * maxBytes;
    const known = answers[slot];
    if (known !== undefined && lengths[slot] === length) {
      let at = 0;
      while (at < length && inputs[base + at] === data[at]) at++;
      if (at === length) return known;
    }
    const answer = hash(data);
    inputs.set(data, base);
    lengths[slot] = length;
    answers[slot] = answer;
    return answer;
  };
};

/** The hashes that runtimes call most, each with its own memo. */
export const withHashMemo = (hashes: HostHashes): HostHashes => ({
  ...hashes,
  twox64: createHashMemo(hashes.twox64),
  twox128: createHashMemo(hashes.twox128),
  blake2b128: createHashMemo(hashes.blake2b128),
});
