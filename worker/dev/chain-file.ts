import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import type { Chain } from '../chain/chain.ts';
import type { BlockHash } from '../codec/identity.ts';
import {
  encodeSignedBlock,
  readSignedBlock,
  type SignedBlock,
  signedBlockFromJson,
  signedBlockToJson,
} from '../codec/signed-block.ts';
import type { Snapshots } from './snapshot.ts';

/** The blocks of a file, with the line that describes their chain. */
export type ChainFile = {
  readonly genesisHash: string | null;
  /** Chain time of the node that wrote the file, in ms since 1970; 0 if not stated. */
  readonly chainTimeMs: number;
  readonly snapshots: readonly { readonly name: string; readonly hash: string }[];
  readonly blocks: readonly SignedBlock[];
};

type Json = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parseLine = (text: string, line: number): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new NodeError('BadBlock', `Line ${line} is not JSON`, { cause });
  }
};

const readBlock = (json: unknown, line: number): SignedBlock => {
  try {
    return signedBlockFromJson(json);
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    throw new NodeError(error.code, `Line ${line}: ${error.message}`, { cause: error });
  }
};

const hashText = /^0x[0-9a-f]{64}$/;

type Marks = Omit<ChainFile, 'blocks'>;

const noMarks: Marks = { genesisHash: null, chainTimeMs: 0, snapshots: [] };

const readMarks = (json: Json): Marks => {
  const marks = Array.isArray(json['snapshots']) ? (json['snapshots'] as unknown[]) : [];
  const snapshots = marks.flatMap((mark) => {
    const [name, hash] = isRecord(mark) ? [mark['name'], mark['hash']] : [];
    return typeof name === 'string' && typeof hash === 'string' && hashText.test(hash)
      ? [{ name, hash }]
      : [];
  });
  const genesisHash = json['genesisHash'];
  const time = json['chainTimeMs'];
  return {
    genesisHash: typeof genesisHash === 'string' ? genesisHash : null,
    chainTimeMs: Number.isSafeInteger(time) ? (time as number) : 0,
    snapshots,
  };
};

/** The SDK writes blocks without a separator. */
const between = /\n|(?<=\})(?=\{"block")/;

const readLines = (text: string): ChainFile => {
  let marks = noMarks;
  const blocks: SignedBlock[] = [];
  for (const [index, line] of text.split(between).entries()) {
    if (line.trim() === '') continue;
    const json = parseLine(line, index + 1);
    if (isRecord(json) && json['tabnode'] === 1) marks = readMarks(json);
    else blocks.push(readBlock(json, index + 1));
  }
  return { ...marks, blocks };
};

/** The SDK's `export-blocks --binary`: a u64 count, then SignedBlocks. */
const readBinary = (data: Uint8Array): ChainFile => {
  const reader = new Reader(data);
  const count = reader.u64();
  const blocks: SignedBlock[] = [];
  while (blocks.length < count) blocks.push(readSignedBlock(reader));
  reader.end();
  return { ...noMarks, blocks };
};

/** Either format of `dev_exportChain`. Throws `BadBlock`, `BadHex`, `BadScale`. */
export const readChainFile = (text: string): ChainFile =>
  text.startsWith('0x') ? readBinary(hexToBytes(text)) : readLines(text);

/** Limits of an export: the length of the text, and turns after which it yields. */
export type Budget = {
  /** Throws if the text exceeds the limit. */
  spend(characters: number): void;
  rest(): Promise<void>;
};
export type BlockRange = { readonly from: number; readonly to: number };

type Deps = {
  readonly chain: Chain;
  readonly snapshots: Snapshots;
  readonly budget: Budget;
  /** Chain time of the best block, or null. */
  readonly chainTimeMs: number | null;
};

const chainLine = async ({ chain, snapshots, chainTimeMs }: Omit<Deps, 'budget'>): Promise<string> => {
  const { name, id, chainType, properties } = chain.spec;
  const marks: { name: string; hash: string; number: number }[] = [];
  for (const [title, { head }] of snapshots.list())
    if ((await chain.loadHashAt(head.number)) === head.hash) marks.push({ name: title, ...head });
  const spec = { name, id, chainType, properties };
  return JSON.stringify({ tabnode: 1, genesisHash: chain.genesisHash, chainTimeMs, spec, snapshots: marks });
};

/**
 * Converts blocks to text one by one until the end or the limit, so that never more than one is in memory.
 */
const writeRange = async (
  { chain, budget }: Deps,
  range: BlockRange,
  write: (block: SignedBlock) => string,
): Promise<string[]> => {
  const texts: string[] = [];
  for (let number = range.from; number <= Math.min(range.to, chain.best().number); number++) {
    const hash = (await chain.loadHashAt(number)) as BlockHash;
    const block = await chain.loadBlock(hash);
    if (block === null) throw new NodeError('StorageBroken', `Block #${number} is missing`);
    const text = write(block);
    budget.spend(text.length);
    texts.push(text);
    await budget.rest();
  }
  return texts;
};

const blockLine = (block: SignedBlock): string => JSON.stringify(signedBlockToJson(block));
const blockDigits = (block: SignedBlock): string => bytesToHex(encodeSignedBlock(block)).slice(2);

/** Blocks of the best chain as text. Block 0 is in the specification and omitted unless requested. */
export const writeChainFile = async (
  deps: Deps,
  format: 'json' | 'binary',
  range: BlockRange,
): Promise<string> => {
  if (format === 'json')
    return `${[await chainLine(deps), ...(await writeRange(deps, range, blockLine))].join('\n')}\n`;
  const blocks = await writeRange(deps, range, blockDigits);
  return bytesToHex(new Writer(8).u64(BigInt(blocks.length)).finish()) + blocks.join('');
};
