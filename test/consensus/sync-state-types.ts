import {
  _void,
  type Codec,
  type CodecType,
  Option,
  Self,
  SizedBytes,
  Struct,
  Tuple,
  u8,
  u32,
  u64,
  Variant,
  Vector,
} from '@polkadot-api/substrate-bindings';
import { bytesToHex } from '../../worker/bytes/hex.ts';

/** The SDK's client structures as scale-ts codecs, independent of ours. */
const hash = SizedBytes(32);
const authorities = Vector(Tuple(hash, u64));

export type ForkNode<T> = { hash: string; number: number; data: T; children: ForkNode<T>[] };
const forkTree = <T>(data: Codec<T>) => {
  const node: Codec<ForkNode<T>> = Struct({
    hash,
    number: u32,
    data,
    children: Vector(Self(() => node)),
  });
  return Struct({ roots: Vector(node), bestFinalizedNumber: Option(u32) });
};
/** Genesis contains both epoch 0 and epoch 1. */
const persisted = <T>(epoch: Codec<T>) => Variant({ Genesis: Tuple(epoch, epoch), Regular: epoch });

const epoch = Struct({
  epochIndex: u64,
  startSlot: u64,
  duration: u64,
  authorities,
  randomness: hash,
  c: Tuple(u64, u64),
  allowedSlots: u8,
});
const epochChanges = Struct({
  inner: forkTree(persisted(Struct({ startSlot: u64, endSlot: u64 }))),
  epochs: Vector(Tuple(Tuple(hash, u32), persisted(epoch))),
});
const pendingChange = Struct({
  nextAuthorities: authorities,
  delay: u32,
  canonHeight: u32,
  canonHash: hash,
  delayKind: Variant({ Finalized: _void, Best: u32 }),
});
const authoritySet = Struct({
  currentAuthorities: authorities,
  setId: u64,
  pendingStandardChanges: forkTree(pendingChange),
  pendingForcedChanges: Vector(pendingChange),
  authoritySetChanges: Vector(Tuple(u64, u32)),
});

export type Epoch = CodecType<typeof epoch>;
export type EpochChanges = CodecType<typeof epochChanges>;
export type AuthoritySet = CodecType<typeof authoritySet>;

/** Decodes exactly all bytes: re-encoding with scale-ts must give the same bytes. */
const reading =
  <T>(codec: Codec<T>) =>
  (data: string | Uint8Array): T => {
    const given = typeof data === 'string' ? data : bytesToHex(data);
    const value = codec.dec(given);
    const again = bytesToHex(codec.enc(value));
    if (again !== given) throw new Error(`Not the whole of it:\n${given}\n${again}`);
    return value;
  };
export const decodeAuthorities = reading(authorities);
export const decodeEpoch = reading(epoch);
export const decodeEpochChanges = reading(epochChanges);
export const decodeAuthoritySet = reading(authoritySet);
