import { bytesToKey, noBytes } from '../bytes/bytes.ts';
import { bytesToHex } from '../bytes/hex.ts';
import type { ProofRequest } from '../chain/origin.ts';
import { childKey } from '../state/backend.ts';
import type { Hash256 } from '../trie/node-source.ts';
import { readProof } from './answers.ts';
import type { Asked } from './ask.ts';
import type { BlocksDeps, Located } from './blocks.ts';
import { checkProof, type Nodes, otherRoot } from './checks.ts';
import type { Endpoint } from './endpoint.ts';
import type { AtOrNewer } from './newer-states.ts';
import { bad, type Outcome } from './problem.ts';
import { refuse, refuseLost } from './refusal.ts';

export type ProofsDeps = BlocksDeps & { readonly atOrNewer: AtOrNewer };

export type Proofs = {
  nodes(
    at: Uint8Array,
    requests: readonly ProofRequest[],
    wanted: readonly Uint8Array[],
  ): Promise<Uint8Array[]>;
};

/** Keys of one request. One proof is one call, so that it counts once where calls are limited. */
export const maxKeysAtOnce = 1000;
/** Requests of one call that run at once. */
const maxAtOnce = 4;

const splitKeys = ({ child, keys }: ProofRequest): ProofRequest[] => {
  const parts: ProofRequest[] = [];
  for (let from = 0; from < keys.length; from += maxKeysAtOnce)
    parts.push({ child, keys: keys.slice(from, from + maxKeysAtOnce) });
  return parts;
};

const isEdited = async (endpoint: Endpoint, hash: Uint8Array, signal: AbortSignal): Promise<boolean> => {
  if (endpoint.offers('dev_status') !== true) return false;
  const status = await endpoint.call('dev_status', [], signal);
  const edited = status.ok ? (status.value as { readonly edited?: unknown } | null)?.edited : null;
  return Array.isArray(edited) && (edited as unknown[]).includes(bytesToHex(hash));
};

/** A complete proof of keys in the state of a block, from one endpoint. */
export const proofFrom = async (
  blake2b256: Hash256,
  endpoint: Endpoint,
  { hash, header }: Located,
  request: ProofRequest,
  signal: AbortSignal,
): Promise<Outcome<Nodes>> => {
  const keys = request.keys.map(bytesToHex);
  const at = bytesToHex(hash);
  const answer =
    request.child === null
      ? await endpoint.call('state_getReadProof', [keys, at], signal)
      : await endpoint.call(
          'state_getChildReadProof',
          [bytesToHex(childKey(request.child)), keys, at],
          signal,
        );
  if (!answer.ok) return answer;
  const read = readProof(answer.value);
  if (!read.ok) return read;
  const checked = await checkProof(blake2b256, header.stateRoot, request, read.value);
  if (!checked.ok && checked.problem.text === otherRoot && (await isEdited(endpoint, hash, signal)))
    return bad(
      'edited',
      'has edited the state of this block, which its header does not prove: take the next one',
    );
  return checked;
};

const firstKey = (parts: readonly ProofRequest[]): Uint8Array => parts[0]?.keys[0] ?? noBytes;

/** Runs the tasks, some at a time; stops after the first that fails. */
const runAll = async <T, R>(
  tasks: readonly T[],
  run: (task: T) => Promise<Asked<R>>,
): Promise<Asked<readonly R[]>> => {
  const values: R[] = [];
  let next = 0;
  let failed: Asked<never> | null = null;
  const work = async (): Promise<void> => {
    while (next < tasks.length && failed === null) {
      const place = next++;
      const asked = await run(tasks[place] as T);
      if (asked.ok) values[place] = asked.value;
      else failed ??= asked;
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxAtOnce, tasks.length) }, work));
  return failed ?? { ok: true, value: values };
};

export const createProofs = (deps: ProofsDeps): Proofs => {
  const { ask, atOrNewer, blake2b256 } = deps;
  const prove = async (block: Located, request: ProofRequest): Promise<Asked<Nodes>> => {
    const isSplittable = request.keys.length > 1;
    const asked = await ask({
      number: block.header.number,
      run: (endpoint, signal) => proofFrom(blake2b256, endpoint, block, request, signal),
      isFinal: ({ kind }) => kind === 'tooLarge' && isSplittable,
    });
    const isTooLarge = !asked.ok && asked.problems.some(({ problem }) => problem.kind === 'tooLarge');
    if (!isTooLarge || !isSplittable) return asked;
    const half = request.keys.length >> 1;
    const first = await prove(block, { ...request, keys: request.keys.slice(0, half) });
    if (!first.ok) return first;
    const second = await prove(block, { ...request, keys: request.keys.slice(half) });
    return second.ok ? { ok: true, value: new Map([...first.value, ...second.value]) } : second;
  };

  /** All nodes that prove the keys, each once by its hash. Throws the error of the first keys that cannot be proven. */
  const proveAll = async (at: Uint8Array, parts: readonly ProofRequest[]) => {
    let from: Located | null = null;
    let failing: Uint8Array | undefined;
    const subject = { what: 'The state', key: firstKey(parts) };
    const asked = await atOrNewer(at, subject, (block) => {
      from = block;
      return runAll(parts, async (part) => {
        const proven = await prove(block, part);
        if (!proven.ok) failing = part.keys[0];
        return proven;
      });
    });
    if (!asked.ok) throw refuse({ ...subject, block: at, ...(failing && { key: failing }) }, asked.problems);
    const nodes = new Map(asked.value.flatMap((found) => [...found]));
    return { nodes, from: from as unknown as Located };
  };

  return {
    nodes: async (at, requests, wanted) => {
      const parts = requests.flatMap(splitKeys);
      if (parts.length === 0) return [];
      const { nodes, from } = await proveAll(at, parts);
      const lost = wanted.find((hash) => !nodes.has(bytesToKey(hash)));
      if (lost === undefined) return [...nodes.values()];
      const place = `the state of block ${bytesToHex(from.hash)} does not have it at this place`;
      throw refuseLost(at, firstKey(parts), lost, place);
    },
  };
};
