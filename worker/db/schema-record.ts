import { textToBytes } from '../bytes/bytes.ts';
import { openRecord, sealRecord } from './checked.ts';
import { damageError } from './damage.ts';

/**
 * Key of the schema version in `meta`. Read and written in stored form, because the format of everything else
 * depends on it.
 */
export const schemaKey = /* @__PURE__ */ textToBytes('schema');

/** Versions 1 and 2 wrote four bytes without a checksum. */
const plainSize = 4;
const lastPlain = 2;

export const encodeVersion = (version: number): Uint8Array => {
  const out = new Uint8Array(plainSize);
  new DataView(out.buffer).setUint32(0, version);
  return sealRecord('meta', schemaKey, out);
};

/** Throws `StorageBroken`. A flipped bit cannot turn a later version into an older one. */
export const decodeVersion = (stored: Uint8Array): number => {
  const isPlain = stored.length === plainSize;
  const value = isPlain ? stored : openRecord('meta', schemaKey, stored);
  const version = value.length === plainSize ? new DataView(value.buffer, value.byteOffset).getUint32(0) : 0;
  if (version === 0 || (isPlain && version > lastPlain))
    throw damageError('its schema version cannot be read', { store: 'meta' });
  return version;
};
