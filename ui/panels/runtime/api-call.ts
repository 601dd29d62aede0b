import { decodeValue } from '../../../src/scale/decode.ts';
import { encodeJson } from '../../../src/scale/encode.ts';
import { fromHex, joinBytes, toHex } from '../../../src/scale/hex.ts';
import type { Decoded, Json, RuntimeMeta } from '../../../src/scale/types.ts';
import { type Attempt, attempt } from '../../kit/text/format.ts';

/** A method of a runtime API, as the metadata describes it. */
export type ApiMethod = RuntimeMeta['metadata']['apis'][number]['methods'][number];

/** The arguments of a call as concatenated SCALE bytes in 0x text. Throws EncodeFault. */
export const encodeArguments = (meta: RuntimeMeta, method: ApiMethod, args: readonly Json[]): string =>
  toHex(joinBytes(...method.inputs.map(({ type }, index) => encodeJson(meta, type, args[index] ?? null))));

/** The bytes of an answer, with its decoded value or the reason why it cannot be decoded. */
export type Answer = Attempt<Decoded> & { readonly bytes: Uint8Array };

export const readAnswer = (meta: RuntimeMeta, type: number, hex: string): Answer => {
  const bytes = fromHex(hex);
  return { bytes, ...attempt(() => decodeValue(meta, type, bytes)) };
};
