import { type ErrorCode, NodeError } from '../../src/protocol/errors.ts';
import { bytesToHex, bytesToHexOrNull } from '../bytes/hex.ts';
import type { Told } from './ask.ts';
import type { ProblemKind } from './problem.ts';

/** What could not be read, as an error names it. */
export type Subject = {
  /** The beginning of a sentence: `The header`. */
  readonly what: string;
  readonly block?: Uint8Array;
  readonly key?: Uint8Array;
};

const codeOf = (told: readonly Told[]): ErrorCode => {
  const every = (...kinds: readonly ProblemKind[]): boolean =>
    told.length > 0 && told.every(({ problem }) => kinds.includes(problem.kind));
  if (told.some(({ problem }) => problem.kind === 'lied')) return 'EndpointLied';
  if (every('unfit', 'noMethod', 'edited')) return 'EndpointUnfit';
  return every('unfit', 'noMethod', 'discarded', 'unknown') ? 'NotCached' : 'EndpointFailed';
};

/** The error of a job that no endpoint could do: which block and key, and what each endpoint did. */
export const refuse = ({ what, block, key }: Subject, told: readonly Told[]): NodeError => {
  const at = block === undefined ? '' : ` of block ${bytesToHex(block)}`;
  const under = key === undefined ? '' : ` for key ${bytesToHex(key)}`;
  const reasons = told.map(({ endpoint, problem }) => `${endpoint} ${problem.text}`).join('; ');
  return new NodeError(
    codeOf(told),
    `${what}${at}${under} could not be read: ${reasons === '' ? 'no endpoint responded in time' : reasons}.`,
    {
      details: {
        block: bytesToHexOrNull(block ?? null),
        key: bytesToHexOrNull(key ?? null),
        endpoints: told.map(({ endpoint, problem }) => ({ endpoint, ...problem })),
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
