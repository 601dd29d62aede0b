import { textToBytes } from '../bytes/bytes.ts';
import { bytesToHex } from '../bytes/hex.ts';
import type { Hash256 } from '../trie/node-source.ts';
import { readHash, readHeader, readProof } from './answers.ts';
import { checkHeader, checkProof } from './checks.ts';
import type { Endpoint } from './endpoint.ts';
import { bad, good, type Outcome } from './problem.ts';

/** A key whose proof is short in every chain. */
const smallKey = textToBytes(':heappages');

/** A proof of a small key, checked against the header of the block. */
const proveOne = async (
  hash256: Hash256,
  endpoint: Endpoint,
  method: string,
  params: readonly unknown[],
  signal: AbortSignal,
): Promise<Outcome<null>> => {
  const named = await endpoint.call(method, params, signal);
  const hash = named.ok ? readHash(named.value) : named;
  if (!hash.ok) return hash;
  if (hash.value === null) return bad('unknown', 'has no such block');
  const at = bytesToHex(hash.value);
  const [header, proof] = await Promise.all([
    endpoint.call('chain_getHeader', [at], signal),
    endpoint.call('state_getReadProof', [[bytesToHex(smallKey)], at], signal),
  ]);
  const read = header.ok ? readHeader(header.value) : header;
  if (!read.ok) return read;
  if (read.value === null) return bad('failed', 'does not know the block it names');
  const checked = checkHeader(hash256, hash.value, read.value);
  if (!checked.ok) return checked;
  const nodes = proof.ok ? readProof(proof.value) : proof;
  if (!nodes.ok) return nodes;
  const request = { child: null, keys: [smallKey] };
  const proven = await checkProof(hash256, checked.value.stateRoot, request, nodes.value);
  return proven.ok ? good(null) : proven;
};

/**
 * What an endpoint can do, asked once: whether it names the right chain, proves its latest finalized state, and still
 * has the state of block 1. Where it is the only one, its first answers show that as well, without further requests.
 */
export const probe = async (
  hash256: Hash256,
  endpoint: Endpoint,
  isOnly: boolean,
  signal: AbortSignal,
): Promise<void> => {
  const known = await endpoint.confirmChain(signal);
  endpoint.note(known.ok ? null : known.problem);
  if (isOnly || !known.ok) return;
  const works = await proveOne(hash256, endpoint, 'chain_getFinalizedHead', [], signal);
  // A development node may have edited its latest state, or discarded it since.
  const isUsable = works.ok || works.problem.kind === 'discarded' || works.problem.kind === 'unknown';
  if (!isUsable) endpoint.note(works.problem);
  if (!works.ok) return;
  const first = await proveOne(hash256, endpoint, 'chain_getBlockHash', [1], signal);
  if (first.ok) endpoint.noteStates('all');
  else if (first.problem.kind === 'discarded') endpoint.noteStates('recent');
};
