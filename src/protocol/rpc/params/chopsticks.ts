import type { SealMode } from '../../node.ts';
import { refuse, wrongType } from '../decoder-text.ts';
import type { Param } from '../define.ts';
import { param, parseHash } from './params.ts';

/** When chopsticks builds blocks: its `Batch` collects transactions for 100 ms, and here one block takes all that wait. */
const modes = { Batch: 'instant', Instant: 'instant', Manual: 'manual' } as const;

export const buildMode = (): Param<SealMode, keyof typeof modes> =>
  param('buildMode', (value) =>
    typeof value === 'string' && Object.hasOwn(modes, value)
      ? { kind: modes[value as keyof typeof modes] }
      : refuse(`expected one of ${Object.keys(modes).join(', ')}`),
  );

/** 0 off, 1 error, 2 warn, 3 info, 4 debug, 5 trace, as in `ext_logging_max_level`. */
export const runtimeLogLevel = (): Param<number, number> =>
  param('runtimeLogLevel', (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 5
      ? value
      : refuse('expected a level from 0 (off) to 5 (trace)'),
  );

/** A block by its hash, or one that need not be in the chain, with what is reported. */
export type BlockToRun =
  | { readonly kind: 'hash'; readonly hash: string }
  | {
      readonly kind: 'given';
      readonly parent: string | null;
      readonly block: unknown;
      readonly includeRaw: boolean;
      readonly includeParsed: boolean;
      readonly includeBlockDetails: boolean;
    };

export type BlockToRunInput =
  | string
  | {
      readonly block: { readonly header: object; readonly extrinsics: readonly string[] };
      readonly parent?: string;
      readonly includeRaw?: boolean;
      readonly includeParsed?: boolean;
      readonly includeBlockDetails?: boolean;
    };

const readFlag = (value: unknown, name: string, fallback: boolean): boolean => {
  if (value === undefined) return fallback;
  return typeof value === 'boolean' ? value : refuse(`\`${name}\` is not a boolean`);
};

export const blockToRun = (): Param<BlockToRun, BlockToRunInput> =>
  param('blockToRun', (value) => {
    if (typeof value === 'string') return { kind: 'hash', hash: parseHash(value) };
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return wrongType(value, 'a block hash or a map');
    const { block, parent, includeRaw, includeParsed, includeBlockDetails, ...rest } = value as Readonly<
      Record<string, unknown>
    >;
    const [other] = Object.keys(rest);
    if (other !== undefined) refuse(`unknown field \`${other}\``);
    if (typeof block !== 'object' || block === null)
      return refuse('`block` is not a map of `header` and `extrinsics`');
    return {
      kind: 'given',
      parent: parent === undefined || parent === null ? null : parseHash(parent),
      block,
      includeRaw: readFlag(includeRaw, 'includeRaw', true),
      includeParsed: readFlag(includeParsed, 'includeParsed', false),
      includeBlockDetails: readFlag(includeBlockDetails, 'includeBlockDetails', false),
    };
  });
