import fc from 'fast-check';
import { textToBytes } from '../../../worker/bytes/bytes.ts';
import { Writer } from '../../../worker/bytes/writer.ts';
import type { Crypto } from '../../../worker/crypto/crypto.ts';
import { type Menu, messages, type Step, span, step } from './arbitraries.ts';
import { type Argument, bytesArgument, type Call, fromLast } from './script.ts';
import { type Scheme, type Signed, signatures } from './signatures.ts';

const verification = (name: string, { signature, message, publicKey }: Signed): Call => ({
  name,
  args: [signature, message, publicKey].map(bytesArgument),
});
const prehashed = ({ signature, digest, publicKey }: Signed): Call => ({
  name: 'ext_crypto_ecdsa_verify_prehashed_version_1',
  args: [signature, digest, publicKey].map(bytesArgument),
});
const recovery = (name: string, { signature, digest }: Signed): Call => ({
  name,
  args: [signature, digest].map(bytesArgument),
});

const verifications: readonly (readonly [Scheme, readonly string[]])[] = [
  ['ed25519', ['ext_crypto_ed25519_verify_version_1', 'ext_crypto_ed25519_batch_verify_version_1']],
  [
    'sr25519',
    [
      'ext_crypto_sr25519_verify_version_1',
      'ext_crypto_sr25519_verify_version_2',
      'ext_crypto_sr25519_batch_verify_version_1',
    ],
  ],
  [
    'ecdsa',
    [
      'ext_crypto_ecdsa_verify_version_1',
      'ext_crypto_ecdsa_verify_version_2',
      'ext_crypto_ecdsa_batch_verify_version_1',
    ],
  ],
];
const recoveries = [
  'ext_crypto_secp256k1_ecdsa_recover_version_1',
  'ext_crypto_secp256k1_ecdsa_recover_version_2',
  'ext_crypto_secp256k1_ecdsa_recover_compressed_version_1',
  'ext_crypto_secp256k1_ecdsa_recover_compressed_version_2',
];

/** Verifications, batches of them, and recoveries. */
export const cryptoSteps = (crypto: Crypto): Menu => {
  const signed = {
    ed25519: signatures(crypto, 'ed25519'),
    sr25519: signatures(crypto, 'sr25519'),
    ecdsa: signatures(crypto, 'ecdsa'),
  };
  const one = fc.oneof(
    ...verifications.map(([scheme, names]) =>
      fc.tuple(fc.constantFrom(...names), signed[scheme]).map(([name, drawn]) => verification(name, drawn)),
    ),
    signed.ecdsa.map(prehashed),
  );
  const recovered = fc
    .tuple(fc.constantFrom(...recoveries), signed.ecdsa)
    .map(([name, drawn]): Step => [recovery(name, drawn)]);
  const batch = fc
    .array(one, { maxLength: 4 })
    .map(
      (calls): Step => [
        { name: 'ext_crypto_start_batch_verify_version_1', args: [] },
        ...calls,
        { name: 'ext_crypto_finish_batch_verify_version_1', args: [] },
      ],
    );
  return [
    [4, one.map((call): Step => [call])],
    [3, recovered],
    [1, batch],
  ];
};

/**
 * Types of keys. No type has keys of two schemes: the SDK's keystore stores a key under its type and public key
 * alone, and takes any key of the right length for one of the scheme it is asked for.
 */
const keyTypes: Readonly<Record<Scheme, fc.Arbitrary<Argument>>> = {
  ed25519: span(fc.constantFrom('gran', 'ed25').map(textToBytes)),
  sr25519: span(fc.constantFrom('babe', 'aura', '\0\0\0\0').map(textToBytes)),
  ecdsa: span(fc.constantFrom('beef', '\xff\xff').map(textToBytes)),
};
/** Random keys have a type of their own, which is never listed. */
const randomType = span(fc.constant(textToBytes('rand')));
const seedOf = (...uris: readonly string[]) =>
  span(fc.constantFrom(...uris).map((uri) => new Writer().u8(1).vecBytes(textToBytes(uri)).finish()));
const hard = ['//Alice', '//Bob', '//Alice//stash'];
/** Soft derivation exists in sr25519 alone; elsewhere it traps. */
const seeds: Readonly<Record<Scheme, fc.Arbitrary<Argument>>> = {
  ed25519: seedOf(...hard),
  sr25519: seedOf(...hard, '/soft', '//1/2'),
  ecdsa: seedOf(...hard),
};
const message = span(messages);
const digest = span(fc.nat({ max: 255 }).map((byte) => new Uint8Array(32).fill(byte)));

/** A key from a secret URI, then a signature with it; the pointer to the key is the last result. */
const generateAndSign = (scheme: Scheme): fc.Arbitrary<Step> => {
  const names = {
    ed25519: ['ext_crypto_ed25519_generate_version_1', 'ext_crypto_ed25519_sign_version_1'],
    sr25519: ['ext_crypto_sr25519_generate_version_1', 'ext_crypto_sr25519_sign_version_1'],
    ecdsa: ['ext_crypto_ecdsa_generate_version_1', 'ext_crypto_ecdsa_sign_version_1'],
  } as const;
  const [generate, sign] = names[scheme];
  const keyType = keyTypes[scheme];
  return fc
    .tuple(keyType, seeds[scheme], keyType, message, fc.boolean())
    .map(([type, uri, other, text, isSame]) => [
      { name: generate, args: [type, uri] },
      { name: sign, args: [isSame ? type : other, fromLast(), text] },
    ]);
};

const signPrehashed = fc.tuple(keyTypes.ecdsa, seeds.ecdsa, digest).map(
  ([type, uri, hash]): Step => [
    { name: 'ext_crypto_ecdsa_generate_version_1', args: [type, uri] },
    { name: 'ext_crypto_ecdsa_sign_prehashed_version_1', args: [type, fromLast(), hash] },
  ],
);

/** Steps for calls that have a keystore. */
export const keystoreSteps: Menu = [
  [2, generateAndSign('ed25519')],
  [2, generateAndSign('sr25519')],
  [2, generateAndSign('ecdsa')],
  [2, signPrehashed],
  [1, step('ext_crypto_ed25519_public_keys_version_1', keyTypes.ed25519)],
  [1, step('ext_crypto_sr25519_public_keys_version_1', keyTypes.sr25519)],
  [1, step('ext_crypto_ecdsa_public_keys_version_1', keyTypes.ecdsa)],
  [1, step('ext_crypto_ed25519_generate_version_1', randomType, span(fc.constant(Uint8Array.of(0))))],
  [1, step('ext_crypto_sr25519_generate_version_1', randomType, span(fc.constant(Uint8Array.of(0))))],
  [1, step('ext_crypto_ecdsa_generate_version_1', randomType, span(fc.constant(Uint8Array.of(0))))],
  [
    1,
    step(
      'ext_crypto_ed25519_sign_version_1',
      keyTypes.ed25519,
      span(fc.constant(new Uint8Array(32))),
      message,
    ),
  ],
  [
    1,
    step(
      'ext_crypto_ecdsa_sign_version_1',
      keyTypes.ecdsa,
      span(fc.constant(new Uint8Array(33).fill(2))),
      message,
    ),
  ],
];
