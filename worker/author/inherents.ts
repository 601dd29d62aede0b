import { concatBytes } from '../bytes/bytes.ts';
import { encodeHeader, type Header } from '../codec/header.ts';
import { encodeInherentData, encodeU64, type Inherent } from '../codec/inherent-data.ts';
import type { Runtime } from '../executor/executor.ts';
import type { Claim } from './engine.ts';

/**
 * The `parachn0` data required by relay chains: no bitfields, candidates or disputes, and the parent's
 * header.
 */
const parachains = (parent: Header): Inherent => [
  'parachn0',
  concatBytes(Uint8Array.of(0, 0, 0), encodeHeader(parent)),
];

/** The inherent data of one block: the timestamp, the claim's data, and what a relay chain requires. */
export const createInherentData = (claim: Claim, parent: Header, runtime: Runtime): Uint8Array => {
  const inherents: Inherent[] = [['timstap0', encodeU64(claim.timestampMs)], ...claim.inherents];
  if (runtime.apiVersion('ParachainHost') !== null) inherents.push(parachains(parent));
  return encodeInherentData(inherents);
};
