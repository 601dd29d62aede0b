import { textToBytes } from '../../bytes/bytes.ts';
import { Reader } from '../../bytes/reader.ts';
import { Writer } from '../../bytes/writer.ts';
import type { BlockRef } from '../../chain/tree.ts';
import { blockHashToBytes, bytesToBlockHash } from '../../codec/identity.ts';
import type { WeightedAuthority } from '../../executor/runtime-api-consensus.ts';
import type { AuthoritySet, PendingChange } from './authorities.ts';
import { readAuthority } from './codec.ts';

/** Where the set lies in the auxiliary store. */
export const setKey = /* @__PURE__ */ textToBytes('grandpa authority set');

const writeRef = (writer: Writer, { hash, number }: BlockRef): Writer =>
  writer.raw(blockHashToBytes(hash)).u32(number);
const readRef = (reader: Reader): BlockRef => ({
  hash: bytesToBlockHash(reader.take(32)),
  number: reader.u32(),
});

const writeAuthorities = (writer: Writer, authorities: readonly WeightedAuthority[]): Writer =>
  writer.vec(authorities, (out, { publicKey, weight }) => out.raw(publicKey).u64(weight));

const writePending = (writer: Writer, change: PendingChange): void => {
  writeAuthorities(writeRef(writer, change), change.authorities).u32(change.delay);
  writer.option(change.medianFinalized, (out, median) => out.u32(median));
};
const readPending = (reader: Reader): PendingChange => ({
  ...readRef(reader),
  authorities: reader.vec(readAuthority),
  delay: reader.u32(),
  medianFinalized: reader.option((from) => from.u32()),
});

export const encodeSet = (set: AuthoritySet): Uint8Array => {
  const writer = writeAuthorities(new Writer(256).u64(set.setId), set.authorities);
  writer.vec(set.scheduled, writePending).vec(set.forced, writePending);
  writer.vec(set.changes, (out, { setId, last }) => out.u64(setId).u32(last));
  return writer.option(set.justified, writeRef).finish();
};

/** Throws `BadScale`. */
export const decodeSet = (bytes: Uint8Array): AuthoritySet => {
  const reader = new Reader(bytes);
  const set = {
    setId: reader.u64(),
    authorities: reader.vec(readAuthority),
    scheduled: reader.vec(readPending),
    forced: reader.vec(readPending),
    changes: reader.vec((from) => ({ setId: from.u64(), last: from.u32() })),
    justified: reader.option(readRef),
  };
  reader.end();
  return set;
};
