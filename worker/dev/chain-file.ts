import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import type { Chain, StoredBlock } from '../chain/chain.ts';
import { decodeExtrinsic, encodeBlock, readExtrinsic } from '../codec/block.ts';
import { decodeDigestItem } from '../codec/digest.ts';
import { readHeader } from '../codec/header.ts';
import type { BlockHash } from '../codec/identity.ts';
import {
  type Justification,
  type Justifications,
  readJustification,
  writeJustifications,
} from '../codec/justification.ts';
import type { Snapshots } from './snapshot.ts';

/** A block as a file carries it, and the marks of its chain. */
export type ChainFile = {
  readonly genesisHash: string | null;
  readonly snapshots: readonly { readonly name: string; readonly hash: string }[];
  readonly blocks: readonly StoredBlock[];
};

type Json = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const bad = (line: number, what: string): NodeError =>
  new NodeError('BadBlock', `Line ${line} is not a result of chain_getBlock: ${what}`);

const list = (value: unknown, line: number, what: string): readonly Uint8Array[] => {
  if (!Array.isArray(value)) throw bad(line, `${what} is not a list`);
  return value.map((item: unknown) => bytes(item, line, what));
};

const bytes = (value: unknown, line: number, what: string, length?: number): Uint8Array => {
  if (typeof value !== 'string') throw bad(line, `${what} is not hex`);
  const read = hexToBytes(value);
  if (length !== undefined && read.length !== length) throw bad(line, `${what} is not ${length} bytes long`);
  return read;
};

/** Each read by `read`, which refuses what is cut short or goes on. */
const wholeItems = (
  value: unknown,
  line: number,
  what: string,
  read: (item: Uint8Array) => unknown,
): readonly Uint8Array[] => {
  const items = list(value, line, what);
  try {
    for (const item of items) read(item);
  } catch (error) {
    throw bad(line, `${what}: ${error instanceof Error ? error.message : error}`);
  }
  return items;
};

const isByte = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;

/** The SDK writes bytes of a justification as numbers (RPC.md §0.2). */
const numbersOrHex = (value: unknown, line: number, length?: number): Uint8Array =>
  Array.isArray(value) && value.every(isByte) && (length ?? value.length) === value.length
    ? Uint8Array.from(value)
    : bytes(value, line, 'justifications', length);

const readJustificationJson = (pair: unknown, line: number): Justification => {
  if (!Array.isArray(pair) || pair.length !== 2) throw bad(line, 'justifications is not a list of pairs');
  const [engine, data] = pair as unknown[];
  return [numbersOrHex(engine, line, 4), numbersOrHex(data, line)];
};

const readJustificationsJson = (json: unknown, line: number): Justifications | null => {
  const given = isRecord(json) ? (json['justifications'] ?? null) : null;
  if (given === null) return null;
  if (!Array.isArray(given)) throw bad(line, 'justifications is not a list');
  return given.map((pair: unknown) => readJustificationJson(pair, line));
};

const readBlockJson = (json: unknown, line: number): StoredBlock => {
  const block = isRecord(json) && isRecord(json['block']) ? json['block'] : json;
  const header = isRecord(block) ? block['header'] : null;
  if (!isRecord(block) || !isRecord(header)) throw bad(line, 'there is no header');
  const number = Number(header['number']);
  if (!Number.isInteger(number) || number < 0 || number > 0xffff_ffff) throw bad(line, 'header.number');
  const digest = isRecord(header['digest']) ? header['digest'] : {};
  return {
    header: {
      parentHash: bytes(header['parentHash'], line, 'header.parentHash', 32),
      number,
      stateRoot: bytes(header['stateRoot'], line, 'header.stateRoot', 32),
      extrinsicsRoot: bytes(header['extrinsicsRoot'], line, 'header.extrinsicsRoot', 32),
      digest: wholeItems(digest['logs'], line, 'header.digest.logs', decodeDigestItem),
    },
    extrinsics: wholeItems(block['extrinsics'], line, 'extrinsics', decodeExtrinsic),
    justifications: readJustificationsJson(json, line),
  };
};

const parseLine = (text: string, line: number): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new NodeError('BadBlock', `Line ${line} is not JSON`, { cause });
  }
};

const hashText = /^0x[0-9a-f]{64}$/;

const readMarks = (json: Json): Pick<ChainFile, 'genesisHash' | 'snapshots'> => {
  const marks = Array.isArray(json['snapshots']) ? (json['snapshots'] as unknown[]) : [];
  const snapshots = marks.flatMap((mark) => {
    const [name, hash] = isRecord(mark) ? [mark['name'], mark['hash']] : [];
    return typeof name === 'string' && typeof hash === 'string' && hashText.test(hash)
      ? [{ name, hash }]
      : [];
  });
  const genesisHash = json['genesisHash'];
  return { genesisHash: typeof genesisHash === 'string' ? genesisHash : null, snapshots };
};

const readLines = (text: string): ChainFile => {
  let marks: Pick<ChainFile, 'genesisHash' | 'snapshots'> = { genesisHash: null, snapshots: [] };
  const blocks: StoredBlock[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const json = parseLine(line, index + 1);
    if (isRecord(json) && json['tabnode'] === 1) marks = readMarks(json);
    else blocks.push(readBlockJson(json, index + 1));
  }
  return { ...marks, blocks };
};

/** The SDK's `export-blocks --binary`: a u64 count, then SignedBlocks. */
const readBinary = (data: Uint8Array): ChainFile => {
  const reader = new Reader(data);
  const count = reader.u64();
  const blocks: StoredBlock[] = [];
  while (blocks.length < count) {
    const block = { header: readHeader(reader), extrinsics: reader.vec(readExtrinsic) };
    const justifications = reader.option((from) => from.vec(readJustification));
    blocks.push({ ...block, justifications });
  }
  reader.end();
  return { genesisHash: null, snapshots: [], blocks };
};

/** Either form of `dev_exportChain`. Throws `BadBlock`, `BadHex`, `BadScale`. */
export const readChainFile = (text: string): ChainFile =>
  text.startsWith('0x') ? readBinary(hexToBytes(text)) : readLines(text);

const blockJson = ({ header, extrinsics, justifications }: StoredBlock): string =>
  JSON.stringify({
    block: {
      header: {
        parentHash: bytesToHex(header.parentHash),
        number: `0x${header.number.toString(16)}`,
        stateRoot: bytesToHex(header.stateRoot),
        extrinsicsRoot: bytesToHex(header.extrinsicsRoot),
        digest: { logs: header.digest.map(bytesToHex) },
      },
      extrinsics: extrinsics.map(bytesToHex),
    },
    justifications: justifications?.map(([engine, data]) => [[...engine], [...data]]) ?? null,
  });

/** What an export may take: characters of text, and turns among other work. */
export type Budget = {
  /** Throws when the text is longer than it may be. */
  spend(characters: number): void;
  rest(): Promise<void>;
};
export type BlockRange = { readonly from: number; readonly to: number };

type Deps = { readonly chain: Chain; readonly snapshots: Snapshots; readonly budget: Budget };

const chainLine = async ({ chain, snapshots }: Omit<Deps, 'budget'>): Promise<string> => {
  const { name, id, chainType, properties } = chain.spec;
  const marks: { name: string; hash: string; number: number }[] = [];
  for (const [title, { head }] of snapshots.list())
    if ((await chain.loadHashAt(head.number)) === head.hash) marks.push({ name: title, ...head });
  const spec = { name, id, chainType, properties };
  return JSON.stringify({ tabnode: 1, genesisHash: chain.genesisHash, spec, snapshots: marks });
};

/** One block after another as text, until the end or the limit: they are never all in memory as blocks. */
const writeRange = async (
  { chain, budget }: Deps,
  range: BlockRange,
  write: (block: StoredBlock) => string,
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

const blockDigits = (block: StoredBlock): string => {
  const writer = new Writer(4096).raw(encodeBlock(block));
  return bytesToHex(writer.option(block.justifications, writeJustifications).finish()).slice(2);
};

/** Blocks of the best chain as text; block 0 is in the specification and left out unless asked for. */
export const writeChainFile = async (
  deps: Deps,
  format: 'json' | 'binary',
  range: BlockRange,
): Promise<string> => {
  if (format === 'json')
    return `${[await chainLine(deps), ...(await writeRange(deps, range, blockJson))].join('\n')}\n`;
  const blocks = await writeRange(deps, range, blockDigits);
  return bytesToHex(new Writer(8).u64(BigInt(blocks.length)).finish()) + blocks.join('');
};
