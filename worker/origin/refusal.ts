import { type ErrorCode, NodeError } from '../../src/protocol/errors.ts';
import { bytesToHex, bytesToHexOrNull } from '../bytes/hex.ts';
import type { EndpointProblem } from './ask.ts';
import type { ProblemKind } from './problem.ts';

/** What could not be read, as an error names it. */
export type Subject = {
  /** The beginning of a sentence: `The header`. */
  readonly what: string;
  readonly block?: Uint8Array;
  readonly key?: Uint8Array;
};

const codeOf = (problems: readonly EndpointProblem[]): ErrorCode => {
  const every = (...kinds: readonly ProblemKind[]): boolean =>
    problems.length > 0 && problems.every(({ problem }) => kinds.includes(problem.kind));
  if (problems.some(({ problem }) => problem.kind === 'lied')) return 'EndpointLied';
  if (every('unfit', 'noMethod', 'edited')) return 'EndpointUnfit';
  return every('unfit', 'noMethod', 'discarded', 'unknown') ? 'NotCached' : 'EndpointFailed';
};

/** What an endpoint did. The reason of a page why it cannot connect is a sentence of its own, which names the address. */
const reasonOf = ({ endpoint, problem: { text } }: EndpointProblem): string =>
  /^[A-Z]/.test(text) ? text.replace(/\.$/, '') : `${endpoint} ${text}`;

/** The error of a job that no endpoint could do: which block and key, and what each endpoint did. */
export const refuse = ({ what, block, key }: Subject, problems: readonly EndpointProblem[]): NodeError => {
  const at = block === undefined ? '' : ` of block ${bytesToHex(block)}`;
  const under = key === undefined ? '' : ` for key ${bytesToHex(key)}`;
  const reasons = problems.map(reasonOf).join('; ');
  return new NodeError(
    codeOf(problems),
    `${what}${at}${under} could not be read: ${reasons === '' ? 'no endpoint responded in time' : reasons}.`,
    {
      details: {
        block: bytesToHexOrNull(block ?? null),
        key: bytesToHexOrNull(key ?? null),
        endpoints: problems.map(({ endpoint, problem }) => ({ endpoint, ...problem })),
      },
    },
  );
};

/** A node of a state that no endpoint can prove any more. */
export const refuseLost = (block: Uint8Array, key: Uint8Array, hash: Uint8Array, why: string): NodeError =>
  new NodeError(
    'NotCached',
    `Node ${bytesToHex(hash)} of the state of block ${bytesToHex(block)} for key ${bytesToHex(key)} could not be read: ${why}.`,
    { details: { block: bytesToHex(block), key: bytesToHex(key), hash: bytesToHex(hash) } },
  );
