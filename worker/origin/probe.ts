import { textToBytes } from '../bytes/bytes.ts';
import { bytesToHex } from '../bytes/hex.ts';
import type { Header } from '../codec/header.ts';
import type { Hash256 } from '../trie/node-source.ts';
import { readHash, readHeader } from './answers.ts';
import { checkHeader } from './checks.ts';
import type { Endpoint } from './endpoint.ts';
import { bad, type Outcome, type ProblemKind } from './problem.ts';
import { proofFrom } from './proofs.ts';

/** A key whose proof is short in every chain. */
const smallKey = textToBytes(':heappages');

/** A block that an endpoint names, and a proof of a small key in its state, both verified. */
const proveOne = async (
  hash256: Hash256,
  endpoint: Endpoint,
  method: string,
  params: readonly unknown[],
  signal: AbortSignal,
): Promise<Outcome<Header>> => {
  const named = await endpoint.call(method, params, signal);
  const hash = named.ok ? readHash(named.value) : named;
  if (!hash.ok) return hash;
  if (hash.value === null) return bad('unknown', 'has no such block');
  const answer = await endpoint.call('chain_getHeader', [bytesToHex(hash.value)], signal);
  const read = answer.ok ? readHeader(answer.value) : answer;
  if (!read.ok) return read;
  if (read.value === null) return bad('failed', 'does not know the block it names');
  const header = checkHeader(hash256, hash.value, read.value);
  if (!header.ok) return header;
  const block = { hash: hash.value, header: header.value };
  const proven = await proofFrom(hash256, endpoint, block, { child: null, keys: [smallKey] }, signal);
  return proven.ok ? header : proven;
};

/** No fault of an endpoint: a development node may have edited its latest state, or discarded it since. */
const harmless: ReadonlySet<ProblemKind> = new Set(['discarded', 'unknown', 'edited']);

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
  if (!works.ok && !harmless.has(works.problem.kind)) endpoint.note(works.problem);
  if (!works.ok) return;
  endpoint.noteHead(works.value.number);
  const first = await proveOne(hash256, endpoint, 'chain_getBlockHash', [1], signal);
  if (first.ok) endpoint.noteStates('all');
  else if (first.problem.kind === 'discarded') endpoint.noteStates('recent');
};
