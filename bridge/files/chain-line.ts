import { NodeError } from '../../src/protocol/errors.ts';

/** The first line of `dev_exportChain`, which identifies the chain. */
export type ChainLine = {
  readonly genesisHash: string;
  /** Chain time of the node that wrote the file, in ms since 1970; 0 if the line does not state it. */
  readonly chainTimeMs: number;
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Null if the value is not a chain line. Throws `BadBlock` if it is malformed. */
export const parseChainLine = (json: unknown): ChainLine | null => {
  if (!isRecord(json) || json['tabnode'] === undefined) return null;
  const { tabnode, genesisHash, chainTimeMs: time } = json;
  if (tabnode !== 1) throw new NodeError('BadBlock', 'The file has a newer format');
  if (typeof genesisHash !== 'string' || !/^0x[0-9a-f]{64}$/.test(genesisHash))
    throw new NodeError('BadBlock', 'genesisHash is not a hash');
  return { genesisHash, chainTimeMs: Number.isSafeInteger(time) ? (time as number) : 0 };
};
