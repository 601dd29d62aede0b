import { NodeError } from '../src/protocol/errors.ts';

export type Line =
  | {
      readonly kind: 'chain';
      readonly genesisHash: string /** Chain time of the node that wrote the file; 0 if the line does not state it. */;
      readonly chainTimeMs: number;
    }
  | {
      readonly kind: 'block';
      readonly json: unknown /** For messages; null if the line has none. */;
      readonly number: number | null;
    };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const memberOf = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined);

const parseJson = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new NodeError('BadBlock', 'Not JSON', { cause });
  }
};

/**
 * One line of a block file: the first line of an exported chain, or a result of `chain_getBlock`, which the
 * node validates. Throws `BadBlock` for anything else.
 */
export const parseLine = (line: string): Line => {
  const json = parseJson(line);
  const form = memberOf(json, 'tabnode');
  if (form === undefined) {
    const number = Number(memberOf(memberOf(memberOf(json, 'block') ?? json, 'header'), 'number'));
    return { kind: 'block', json, number: Number.isInteger(number) ? number : null };
  }
  const genesisHash = memberOf(json, 'genesisHash');
  if (form !== 1) throw new NodeError('BadBlock', 'The file has a newer format');
  if (typeof genesisHash !== 'string' || !/^0x[0-9a-f]{64}$/.test(genesisHash))
    throw new NodeError('BadBlock', 'genesisHash is not a hash');
  const time = memberOf(json, 'chainTimeMs');
  return { kind: 'chain', genesisHash, chainTimeMs: Number.isSafeInteger(time) ? (time as number) : 0 };
};
