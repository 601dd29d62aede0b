import { textToBytes } from '../../bytes/bytes.ts';
import { Writer } from '../../bytes/writer.ts';
import { encodeU64 } from '../../codec/inherent-data.ts';
import type { Crypto, VrfTranscript } from '../../crypto/crypto.ts';
import type { BabeEpoch, WeightedAuthority } from '../../executor/runtime-api-consensus.ts';

/** The exact value of a double as mantissa × 2^exponent. */
const splitDouble = (value: number): readonly [mantissa: bigint, exponent: number] => {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  return exponent === 0 ? [fraction, -1074] : [fraction | (1n << 52n), exponent - 1075];
};

/**
 * sc-consensus-babe `calculate_primary_threshold`: floor((1 − (1−c)^(w/Σw)) · 2^128), the probability in f64.
 */
export const primaryThreshold = (
  c: readonly [bigint, bigint],
  authorities: readonly Pick<WeightedAuthority, 'weight'>[],
  index: number,
): bigint => {
  const total = authorities.reduce((sum, authority) => sum + authority.weight, 0n);
  const own = authorities[index]?.weight ?? 0n;
  if (total === 0n || own === 0n) return 0n;
  const probability = 1 - (1 - Number(c[0]) / Number(c[1])) ** (Number(own) / Number(total));
  const [mantissa, exponent] = splitDouble(probability);
  const shift = exponent + 128;
  return shift >= 0 ? mantissa << BigInt(shift) : mantissa >> BigInt(-shift);
};

/** The VRF input of a slot (sp-consensus-babe, `make_vrf_transcript`). */
export const slotTranscript = (
  slot: bigint,
  epoch: Pick<BabeEpoch, 'index' | 'randomness'>,
): VrfTranscript => ({
  label: 'BABE',
  items: [
    ['slot number', encodeU64(slot)],
    ['current epoch', encodeU64(epoch.index)],
    ['chain randomness', epoch.randomness],
  ],
});

const scoreContext = /* @__PURE__ */ textToBytes('substrate-babe-vrf');

/** 16 bytes of the VRF output as u128 little-endian. */
export const slotScore = (
  crypto: Crypto,
  publicKey: Uint8Array,
  transcript: VrfTranscript,
  preOutput: Uint8Array,
): bigint => {
  const bytes = crypto.sr25519VrfMakeBytes(publicKey, transcript, preOutput, scoreContext, 16);
  let score = 0n;
  for (let i = 15; i >= 0; i--) score = (score << 8n) | BigInt(bytes[i] as number);
  return score;
};

/** U256 big-endian of blake2b-256(randomness ‖ slot) mod the number of authorities. */
export const secondaryAuthor = (
  crypto: Crypto,
  slot: bigint,
  epoch: Pick<BabeEpoch, 'authorities' | 'randomness'>,
): number => {
  const digest = crypto.blake2b256(new Writer(40).raw(epoch.randomness).u64(slot).finish());
  let value = 0n;
  for (const byte of digest) value = (value << 8n) | BigInt(byte);
  return Number(value % BigInt(epoch.authorities.length));
};
