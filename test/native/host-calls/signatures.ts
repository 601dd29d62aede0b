import fc from 'fast-check';
import { concatBytes, textToBytes } from '../../../worker/bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../../../worker/bytes/hex.ts';
import { compileCore } from '../../../worker/crypto/core-module.ts';
import { type Crypto, createCrypto } from '../../../worker/crypto/crypto.ts';
import { createRandom } from '../../rigs/random.ts';

export type Scheme = 'ed25519' | 'sr25519' | 'ecdsa';
/** The arguments of a verification; `digest` is what ECDSA signs. */
export type Signed = {
  readonly signature: Uint8Array;
  readonly message: Uint8Array;
  readonly digest: Uint8Array;
  readonly publicKey: Uint8Array;
};

/** The crypto core with seeded randomness, so that the same seed draws the same signatures. */
export const createSeededCrypto = async (): Promise<Crypto> => {
  const random = createRandom(1);
  return createCrypto(await compileCore(), {
    random: (length) => Uint8Array.from({ length }, () => Math.floor(random() * 256)),
  });
};

const signedTexts = ['', 'a', 'a text of some length, longer than one block of a hash function is'];

const sign = (crypto: Crypto, scheme: Scheme, message: Uint8Array): Signed => {
  const pair = crypto.suriToPair('//Alice', scheme);
  const digest = crypto.blake2b256(message);
  const seed = pair.seed ?? new Uint8Array(32);
  const signature = {
    ed25519: () => crypto.ed25519Sign(seed, message),
    sr25519: () => crypto.sr25519Sign(pair.secret, message),
    ecdsa: () => crypto.ecdsaSign(seed, digest),
  }[scheme]();
  return { signature, message, digest, publicKey: pair.publicKey };
};

/** The order of secp256k1's group. */
const order = 0xffffffff_ffffffff_ffffffff_fffffffe_baaedce6_af48a03b_bfd25e8c_d0364141n;
const toNumber = (bytes: Uint8Array): bigint => BigInt(bytesToHex(bytes));
const toBytes = (value: bigint): Uint8Array => hexToBytes(`0x${value.toString(16).padStart(64, '0')}`);
const halves = (signature: Uint8Array): [r: Uint8Array, s: Uint8Array, v: number] => [
  signature.slice(0, 32),
  signature.slice(32, 64),
  signature[64] as number,
];

/** ECDSA: the other s, numbers at their limits, and every kind of recovery byte. */
const ecdsaVariants = (signed: Signed): fc.Arbitrary<Signed> => {
  const [r, s, v] = halves(signed.signature);
  const high = toBytes(order - toNumber(s));
  const limits = [0n, 1n, order - 1n, order, order + 1n, 2n ** 256n - 1n].map(toBytes);
  return fc
    .tuple(
      fc.oneof({ weight: 8, arbitrary: fc.constant(r) }, fc.constantFrom(...limits)),
      fc.oneof({ weight: 5, arbitrary: fc.constantFrom(s, high) }, fc.constantFrom(...limits)),
      fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(v, v ^ 1, v + 27, (v ^ 1) + 27) },
        fc.constantFrom(2, 3, 4, 26, 29, 30, 31, 32, 35, 36, 255),
      ),
    )
    .map(([newR, newS, newV]) => ({ ...signed, signature: concatBytes(newR, newS, Uint8Array.of(newV)) }));
};

/** Points of small order of Curve25519 in encodings that are and are not canonical; with s = 0, ZIP 215 accepts all. */
const smallPoints = [
  new Uint8Array(32),
  concatBytes(new Uint8Array(31), Uint8Array.of(0x80)),
  concatBytes(Uint8Array.of(1), new Uint8Array(31)),
  concatBytes(Uint8Array.of(1), new Uint8Array(30), Uint8Array.of(0x80)),
  concatBytes(Uint8Array.of(0xec), new Uint8Array(30).fill(0xff), Uint8Array.of(0x7f)),
  concatBytes(Uint8Array.of(0xee), new Uint8Array(30).fill(0xff), Uint8Array.of(0x7f)),
  concatBytes(Uint8Array.of(0xed), new Uint8Array(31).fill(0xff)),
];
const smallPoint = fc.constantFrom(...smallPoints);
const smallVariants = (signed: Signed): fc.Arbitrary<Signed> =>
  fc.tuple(smallPoint, smallPoint).map(([point, publicKey]) => ({
    ...signed,
    publicKey,
    signature: concatBytes(point, new Uint8Array(32)),
  }));

const flip = (bytes: Uint8Array, at: number): Uint8Array => {
  const out = bytes.slice();
  const index = (at >> 3) % Math.max(1, out.length);
  if (out.length > 0) out[index] = (out[index] as number) ^ (1 << (at & 7));
  return out;
};
const flipped = (signed: Signed): fc.Arbitrary<Signed> =>
  fc
    .tuple(fc.constantFrom('signature', 'message', 'digest', 'publicKey'), fc.nat({ max: 65 * 8 - 1 }))
    .map(([part, at]) => ({ ...signed, [part]: flip(signed[part], at) }));

/** Right signatures, and others that are almost right. */
export const signatures = (crypto: Crypto, scheme: Scheme): fc.Arbitrary<Signed> =>
  fc
    .constantFrom(...signedTexts.map((message) => sign(crypto, scheme, textToBytes(message))))
    .chain((signed) =>
      fc.oneof(
        { weight: 4, arbitrary: fc.constant(signed) },
        { weight: 2, arbitrary: flipped(signed) },
        { weight: 3, arbitrary: scheme === 'ecdsa' ? ecdsaVariants(signed) : smallVariants(signed) },
      ),
    );
