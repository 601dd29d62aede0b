import { NodeError } from '../src/protocol/errors.ts';
import type { BlockJson } from '../src/protocol/node.ts';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const bad = (what: string): NodeError => new NodeError('BadBlock', `Not a result of chain_getBlock: ${what}`);

const hexDigits = (value: unknown, where: string, bytes?: number): string => {
  if (typeof value !== 'string' || !/^0x([0-9a-f]{2})*$/i.test(value)) throw bad(`${where} is not hex`);
  if (bytes !== undefined && value.length !== 2 + 2 * bytes) throw bad(`${where} is not ${bytes} bytes long`);
  return value.slice(2).toLowerCase();
};

const littleEndian = (value: number, bytes: number): string => {
  let text = '';
  for (let i = 0; i < bytes; i++)
    text += (Math.floor(value / 2 ** (8 * i)) % 256).toString(16).padStart(2, '0');
  return text;
};

/** SCALE compact of a u32, as hex digits. */
const compact = (value: number): string => {
  if (value < 2 ** 6) return littleEndian(value * 4, 1);
  if (value < 2 ** 14) return littleEndian(value * 4 + 1, 2);
  if (value < 2 ** 30) return littleEndian(value * 4 + 2, 4);
  return `03${littleEndian(value, 4)}`;
};

const blockNumber = (value: unknown): number => {
  const number = typeof value === 'string' && /^0x[0-9a-f]{1,8}$/i.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < 0 || number > 0xffffffff) {
    throw bad('header.number is not a block number');
  }
  return number;
};

const encodeHeader = (header: Record<string, unknown>, number: number): string => {
  const { parentHash, stateRoot, extrinsicsRoot, digest } = header;
  const logs = isRecord(digest) ? digest['logs'] : undefined;
  if (!Array.isArray(logs)) throw bad('header.digest.logs is missing');
  return [
    '0x',
    hexDigits(parentHash, 'header.parentHash', 32),
    compact(number),
    hexDigits(stateRoot, 'header.stateRoot', 32),
    hexDigits(extrinsicsRoot, 'header.extrinsicsRoot', 32),
    compact(logs.length),
    ...logs.map((log) => hexDigits(log, 'a log of the digest')),
  ].join('');
};

const isByte = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;

/** Bytes of a justification: numbers, as the SDK writes them, or hex. */
const justificationBytes = (value: unknown, where: string, bytes?: number): string => {
  if (!Array.isArray(value)) return `0x${hexDigits(value, where, bytes)}`;
  if (!value.every(isByte) || value.length !== (bytes ?? value.length)) throw bad(`${where} is not bytes`);
  return `0x${value.map((byte) => littleEndian(byte, 1)).join('')}`;
};

const readJustifications = (json: unknown): NonNullable<BlockJson['justifications']> | null => {
  const given = isRecord(json) ? (json['justifications'] ?? null) : null;
  if (given === null) return null;
  if (!Array.isArray(given)) throw bad('justifications is not a list');
  return given.map((pair: unknown) => {
    if (!Array.isArray(pair) || pair.length !== 2) throw bad('a justification is not a pair');
    const [engine, data] = pair as unknown[];
    return [
      justificationBytes(engine, 'an engine id', 4),
      justificationBytes(data, 'a justification'),
    ] as const;
  });
};

const parseJson = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new NodeError('BadBlock', 'Not JSON', { cause });
  }
};

/** The genesis hash in the first line of an exported chain; null for any other line. */
export const parseChainLine = (line: string): string | null => {
  if (!line.startsWith('{"tabnode"')) return null;
  const json = parseJson(line);
  if (!isRecord(json) || json['tabnode'] !== 1) throw bad('the file is of a newer form');
  return `0x${hexDigits(json['genesisHash'], 'genesisHash', 32)}`;
};

/** One line of a block file: a SignedBlock as `chain_getBlock` answers it (RPC.md §0.2), or only its block. */
export const parseBlockLine = (line: string): { readonly number: number; readonly block: BlockJson } => {
  const json = parseJson(line);
  const block = isRecord(json) && isRecord(json['block']) ? json['block'] : json;
  if (!isRecord(block) || !isRecord(block['header'])) throw bad('there is no header');
  const { header, extrinsics } = block;
  if (!Array.isArray(extrinsics)) throw bad('there are no extrinsics');
  const number = blockNumber(header['number']);
  return {
    number,
    block: {
      header: encodeHeader(header, number),
      extrinsics: extrinsics.map((extrinsic) => `0x${hexDigits(extrinsic, 'an extrinsic')}`),
      justifications: readJustifications(json),
    },
  };
};
