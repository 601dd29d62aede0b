import type { Asked, EndpointProblem } from './ask.ts';
import type { Blocks, Located } from './blocks.ts';
import type { Subject } from './refusal.ts';

/**
 * Runs a read at a block; at newer ones if no endpoint has its state any more. `what` and `key` are what an error names if
 * not even the block's header can be read.
 */
export type AtOrNewer = <T>(
  at: Uint8Array,
  subject: Pick<Subject, 'what' | 'key'>,
  read: (block: Located) => Promise<Asked<T>>,
) => Promise<Asked<T>>;

/** How far below the last finalized block a state is looked for, oldest first: nodes keep 256 states by default. */
const distances = [240, 120, 30, 4, 0];

const nobodyKnows: EndpointProblem = {
  endpoint: 'no endpoint',
  problem: { kind: 'unknown', text: 'knows the block', waitMs: null },
};

const isDiscarded = ({ problem }: EndpointProblem): boolean => problem.kind === 'discarded';
const isMissing = (one: EndpointProblem): boolean => isDiscarded(one) || one.problem.kind === 'unknown';

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

/**
 * Reads of states that nodes may have discarded. A trie node is right if its hash is, so what has not changed since
 * can be read in the state of a newer block: the oldest that is still there, as it has changed least.
 */
export const createNewerStates = (blocks: Blocks): AtOrNewer => {
  /** The oldest state that was found instead of a discarded one. */
  let kept: Located | null = null;
  /** Up to this height, each endpoint has said that it has no state. */
  let goneTo = -1;

  return async (at, subject, read) => {
    const block = await blocks.locate(at, { ...subject, block: at });
    const above = block?.header.number ?? 0;
    let last: Asked<never> = { ok: false, problems: [nobodyKnows] };
    if (block !== null && (kept === null || above > goneTo)) {
      const asked = await read(block);
      if (asked.ok || !asked.problems.some(isMissing)) return asked;
      // Who does not know the block may only be behind: one of a group of nodes with the same URL.
      const isGone = asked.problems.every(isMissing) && asked.problems.some(isDiscarded);
      if (isGone) goneTo = Math.max(goneTo, above);
      last = asked;
    }
    if (kept !== null && kept.header.number > above) {
      const asked = await read(kept);
      if (asked.ok || !asked.problems.some(isMissing)) return asked;
      last = asked;
    }
    for await (const newer of newerBlocks(blocks, Math.max(above, kept?.header.number ?? 0))) {
      const asked = await read(newer);
      if (asked.ok) kept = newer;
      if (asked.ok || !asked.problems.some(isMissing)) return asked;
      last = asked;
    }
    return last;
  };
};
