import { decodeValue } from '../../../../src/scale/decode.ts';
import { decodeExtrinsic } from '../../../../src/scale/extrinsic.ts';
import { fromHex } from '../../../../src/scale/hex.ts';
import { decodedToJson } from '../../../../src/scale/json.ts';
import type { Json, RuntimeMeta } from '../../../../src/scale/types.ts';

type Shape = { readonly pallet: string; readonly call: string; readonly args: Json };

/** Decodes the bytes of a call or of a whole extrinsic, whose call is returned. Throws DecodeFault. */
export const readCall = (meta: RuntimeMeta, hex: string): Shape => {
  if (meta.callType === null) throw new TypeError('The metadata does not name the type of calls.');
  let decoded: Json;
  try {
    decoded = decodedToJson(decodeValue(meta, meta.callType, fromHex(hex)));
  } catch (fault) {
    try {
      decoded = decodedToJson(decodeExtrinsic(meta, hex).call);
    } catch {
      throw fault;
    }
  }
  const [pallet = '', inner = null] = Object.entries(decoded as Record<string, Json>)[0] ?? [];
  if (typeof inner === 'string') return { pallet, call: inner, args: null };
  const [call = '', args = null] = Object.entries((inner ?? {}) as Record<string, Json>)[0] ?? [];
  return { pallet, call, args };
};
