import { bytesToKey } from '../bytes/bytes.ts';
import { bytesToHex } from '../bytes/hex.ts';
import type { ProofRequest } from '../chain/origin.ts';
import { childKey } from '../state/backend.ts';
import { readProof } from './answers.ts';
import type { Asked, Told } from './ask.ts';
import type { Blocks, BlocksDeps, Located } from './blocks.ts';
import { checkProof, otherRoot } from './checks.ts';
import type { Endpoint } from './endpoint.ts';
import { bad, type Outcome } from './problem.ts';
import { refuse, refuseLost } from './refusal.ts';

export type ProofsDeps = BlocksDeps & { readonly blocks: Blocks };

export type Proofs = {
  nodes(
    at: Uint8Array,
    requests: readonly ProofRequest[],
    wanted: readonly Uint8Array[],
  ): Promise<Uint8Array[]>;
  /** Runs a read at a block; at newer ones if its state is not kept any more. */
  atOrNewer<T>(at: Uint8Array, read: (block: Located) => Promise<Asked<T>>): Promise<Asked<T>>;
};

/** Keys of one request. One proof is one call, so that it counts once where calls are limited. */
export const maxKeysAtOnce = 1000;
/** Requests of one call that run at once. */
const maxAtOnce = 4;
/** How far below the last finalized block a state is looked for, oldest first: nodes keep 256 states by default. */
const distances = [240, 120, 30, 4, 0];

const splitKeys = ({ child, keys }: ProofRequest): ProofRequest[] => {
  const parts: ProofRequest[] = [];
  for (let from = 0; from < keys.length; from += maxKeysAtOnce)
    parts.push({ child, keys: keys.slice(from, from + maxKeysAtOnce) });
  return parts;
};

const nobodyKnows: Told = {
  endpoint: 'no endpoint',
  problem: { kind: 'unknown', text: 'knows the block', waitMs: null },
};

/** Whether nobody has the state, as opposed to nobody being reachable. */
const isGone = (told: readonly Told[]): boolean =>
  told.some(({ problem }) => problem.kind === 'discarded' || problem.kind === 'unknown') &&
  told.every(({ problem }) => problem.kind !== 'lied');

const isEdited = async (endpoint: Endpoint, hash: Uint8Array, signal: AbortSignal): Promise<boolean> => {
  if (endpoint.offers('dev_status') !== true) return false;
  const status = await endpoint.call('dev_status', [], signal);
  const edited = status.ok ? (status.value as { readonly edited?: unknown } | null)?.edited : null;
  return Array.isArray(edited) && (edited as unknown[]).includes(bytesToHex(hash));
};

/** A complete proof of keys in the state of a block, from one endpoint. */
const proofFrom = async (
  { blake2b256 }: ProofsDeps,
  endpoint: Endpoint,
  { hash, header }: Located,
  request: ProofRequest,
  signal: AbortSignal,
): Promise<Outcome<Uint8Array[]>> => {
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
  const checked = checkProof(blake2b256, header.stateRoot, request, read.value);
  if (!checked.ok && checked.problem.text === otherRoot && (await isEdited(endpoint, hash, signal)))
    return bad(
      'edited',
      'has edited the state of this block, which its header does not prove: take the next one',
    );
  return checked;
};

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

/** The blocks of the best chain above a height whose states are looked for, oldest first. */
async function* newerBlocks(blocks: Blocks, above: number): AsyncGenerator<Located> {
  const finalized = await blocks.latest('finalized');
  const head = finalized.header.number > above ? finalized : await blocks.latest('best');
  let last = above;
  for (const distance of distances) {
    const number = Math.max(above + 1, head.header.number - distance);
    if (number <= last || number > head.header.number) continue;
    last = number;
    const hash = number === head.header.number ? head.hash : await blocks.hashAt(number);
    const block = hash === null ? null : await blocks.locate(hash);
    if (block !== null) yield block;
  }
}

export const createProofs = (deps: ProofsDeps): Proofs => {
  const { blocks, ask, blake2b256 } = deps;
  /** The oldest state that was found instead of a discarded one. */
  let kept: Located | null = null;

  const prove = async (block: Located, request: ProofRequest): Promise<Asked<Uint8Array[]>> => {
    const isSplittable = request.keys.length > 1;
    const asked = await ask({
      number: block.header.number,
      run: (endpoint, signal) => proofFrom(deps, endpoint, block, request, signal),
      isFinal: ({ kind }) => kind === 'tooLarge' && isSplittable,
    });
    const isTooLarge = !asked.ok && asked.told.some(({ problem }) => problem.kind === 'tooLarge');
    if (!isTooLarge || !isSplittable) return asked;
    const half = request.keys.length >> 1;
    const first = await prove(block, { ...request, keys: request.keys.slice(0, half) });
    if (!first.ok) return first;
    const second = await prove(block, { ...request, keys: request.keys.slice(half) });
    return second.ok ? { ok: true, value: [...first.value, ...second.value] } : second;
  };

  const atOrNewer: Proofs['atOrNewer'] = async (at, read) => {
    const block = await blocks.locate(at);
    const asked = block === null ? null : await read(block);
    if (asked?.ok === true || (asked !== null && !isGone(asked.told))) return asked;
    const above = block?.header.number ?? 0;
    let last: Asked<never> = asked ?? { ok: false, told: [nobodyKnows] };
    if (kept !== null && kept.header.number > above) {
      const again = await read(kept);
      if (again.ok || !isGone(again.told)) return again;
      last = again;
    }
    for await (const newer of newerBlocks(blocks, Math.max(above, kept?.header.number ?? 0))) {
      const found = await read(newer);
      if (found.ok) kept = newer;
      if (found.ok || !isGone(found.told)) return found;
      last = found;
    }
    return last;
  };

  return {
    atOrNewer,
    nodes: async (at, requests, wanted) => {
      const parts = requests.flatMap(splitKeys);
      const key = parts[0]?.keys[0];
      if (key === undefined) return [];
      let from: Located | null = null;
      const asked = await atOrNewer(at, (block) => {
        from = block;
        return runAll(parts, (part) => prove(block, part));
      });
      if (!asked.ok) throw refuse({ what: 'The state', block: at, key }, asked.told);
      const unique = new Map<string, Uint8Array>();
      for (const list of asked.value) for (const node of list) unique.set(bytesToKey(blake2b256(node)), node);
      const lost = wanted.find((hash) => !unique.has(bytesToKey(hash)));
      if (lost === undefined) return [...unique.values()];
      const { hash } = from as unknown as Located;
      throw refuseLost(
        at,
        key,
        lost,
        `the state of block ${bytesToHex(hash)} does not have it at this place`,
      );
    },
  };
};
