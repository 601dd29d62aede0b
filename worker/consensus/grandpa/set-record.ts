import { textToBytes } from '../../bytes/bytes.ts';
import { Reader } from '../../bytes/reader.ts';
import { Writer } from '../../bytes/writer.ts';
import { blockHashToBytes, readRef, writeRef } from '../../codec/identity.ts';
import { readAuthority, writeAuthorities } from '../../executor/runtime-api-consensus.ts';
import { buildForkTree, writeForkTree } from '../fork-tree.ts';
import { type AuthoritySet, effective, type IsBelow, type PendingChange } from './authorities.ts';

/** Key of the set in the auxiliary store. */
export const setKey = /* @__PURE__ */ textToBytes('grandpa authority set');

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

const writeSdkPending = (writer: Writer, change: PendingChange): void => {
  writeAuthorities(writer, change.authorities).u32(change.delay).u32(change.number);
  writer.raw(blockHashToBytes(change.hash)).option(change.medianFinalized, (out, median) => out.u32(median));
};

/** SCALE of sc-consensus-grandpa's `AuthoritySet`, with finality at the given block. */
export const encodeSdkSet = (set: AuthoritySet, finalized: number, isBelow: IsBelow): Uint8Array => {
  const writer = writeAuthorities(new Writer(256), set.authorities).u64(set.setId);
  // On one branch the later announcement is the deeper one.
  const parentOf = (change: PendingChange): PendingChange | null =>
    set.scheduled.findLast((other) => isBelow(other, change)) ?? null;
  const roots = buildForkTree(set.scheduled, parentOf);
  writeForkTree(writer, roots, finalized, writeSdkPending);
  // By effective height, then by announcement height. Of two at the same heights the later one comes first.
  const forced = set.forced.toReversed().sort((a, b) => effective(a) - effective(b) || a.number - b.number);
  writer.vec(forced, writeSdkPending);
  return writer.vec(set.changes, (out, { setId, last }) => out.u64(setId).u32(last)).finish();
};
