import { fromHex, toHex } from '../../src/scale/hex.ts';

type Request = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** Storage key of the runtime code. */
const codeKey = '0x3a636f6465';
type Renaming = readonly [from: string, to: string];

/** Renames in bytes; both names have the same length. */
const rename = (hex: string, names: Renaming): string => {
  const bytes = fromHex(hex);
  // Names of the metadata are preceded by their length.
  const [from, to] = names.map((name) => Uint8Array.of(name.length << 2, ...new TextEncoder().encode(name)));
  if (from === undefined || to === undefined) return hex;
  for (let at = 0; at + from.length <= bytes.length; at++)
    if (from.every((byte, index) => bytes[at + index] === byte)) bytes.set(to, at);
  return toHex(bytes);
};

/**
 * A node that seems to have upgraded its runtime in the block with this number: from its state on, the metadata has
 * another name, by default that of the pallet Balances. Everything in that block and before it was still written by the old runtime.
 */
export const upgradeIn = (
  request: Request,
  number: number,
  names: Renaming = ['Balances', 'Balancez'],
): Request => {
  const isNew = async (hash: unknown): Promise<boolean> => {
    const header = await request('chain_getHeader', hash === undefined ? [] : [hash]);
    return Number((header as { readonly number: string }).number) >= number;
  };
  return async (method, params) => {
    const [key] = params;
    const answer = await request(method, params);
    if (method === 'state_getStorageHash' && key === codeKey && (await isNew(params[1]))) return '0xc0de';
    if (method === 'state_call' && key === 'Metadata_metadata_at_version' && (await isNew(params[2])))
      return rename(String(answer), names);
    return answer;
  };
};
