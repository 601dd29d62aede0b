import { toHex } from '../../../src/scale/hex.ts';
import { attempt } from '../../kit/text/format.ts';
import type { ChainOrigin, ChainPayload } from '../../node/session/chain-entry.ts';
import { blocksIn, type ChainArchive, readArchive } from './chain-archive.ts';

/** Blocks without their chain, as written by `dev_exportChain` and the SDK's `export-blocks`. */
export type BlocksFile = {
  readonly kind: 'blocks';
  readonly name: string;
  readonly count: number;
  /** JSON lines, or the whole binary export as one 0x string. */
  readonly lines: readonly string[];
};

/** A dropped or selected file, classified by its content. */
export type ChainFile =
  | { readonly kind: 'runtime'; readonly name: string; readonly fileName: string; readonly wasm: Uint8Array }
  | { readonly kind: 'spec'; readonly name: string; readonly specJson: string }
  | { readonly kind: 'archive'; readonly name: string; readonly archive: ChainArchive }
  /** A fork of a live chain in one file (`dev_exportFork`). The node verifies it. */
  | { readonly kind: 'pack'; readonly name: string; readonly fileName: string; readonly pack: Uint8Array }
  | BlocksFile
  | { readonly kind: 'unknown'; readonly why: string };

/** Title of the dialog that asks what to do with the file. */
export const fileTitle = (file: ChainFile): string =>
  file.kind === 'unknown'
    ? 'File not recognized'
    : `${{ runtime: 'Runtime', spec: 'Chain spec', archive: 'Exported chain', pack: 'Packed fork', blocks: 'Blocks' }[file.kind]} “${file.kind === 'pack' ? file.fileName : file.name}”`;

const wasmMagic = [0x00, 0x61, 0x73, 0x6d];
/** Prefix of a compressed runtime (sp_maybe_compressed_blob). */
const zstdBlobMagic = [0x52, 0xbc, 0x53, 0x76, 0x46, 0xdb, 0x8e, 0x05];

/** The first line of the node's own files, up to its version (worker/fork/pack.ts, worker/fork/replay-pack.ts). */
const forkMagic = new TextEncoder().encode('tabnode fork ');
const blockMagic = new TextEncoder().encode('tabnode block ');

const startsWith = (bytes: Uint8Array, magic: ArrayLike<number>): boolean =>
  Array.from(magic).every((byte, index) => bytes[index] === byte);

const baseName = (fileName: string): string =>
  fileName.replace(/(\.compact|\.compressed|\.wasm|\.json)+$/i, '').replace(/[_-]+/g, ' ') || 'Chain';

/** `export-blocks --binary` starts with the block count as a u64, whose upper half is always zero here. */
const readBinaryBlocks = (bytes: Uint8Array, name: string): BlocksFile | null => {
  if (bytes.length < 8) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const count = view.getUint32(0, true);
  if (count === 0 || view.getUint32(4, true) !== 0) return null;
  return { kind: 'blocks', name, count, lines: [toHex(bytes)] };
};

const isBlock = (line: string): boolean => {
  try {
    const { block } = JSON.parse(line) as { readonly block?: { readonly header?: unknown } };
    return typeof block?.header === 'object' && block.header !== null;
  } catch {
    return false;
  }
};

/** The SDK writes blocks without separators. */
const between = /\n|(?<=\})(?=\{"block")/;

/** Detected by the first block; `dev_exportChain` writes a line with the chain's metadata before it. */
const readBlocks = (text: string, name: string): BlocksFile | null => {
  const lines = text.split(between).filter((line) => line.trim() !== '');
  const count = blocksIn(lines);
  return isBlock(lines[lines.length - count] ?? '') ? { kind: 'blocks', name, count, lines } : null;
};

const readText = (text: string, fileName: string): ChainFile => {
  const { value: archive, fault } = attempt(() => readArchive(text));
  if (fault !== null) return { kind: 'unknown', why: `${fileName} cannot be imported. ${fault}` };
  if (archive !== null) return { kind: 'archive', name: archive.name, archive };
  const blocks = readBlocks(text, fileName);
  if (blocks !== null) return blocks;
  try {
    const spec = JSON.parse(text) as { name?: unknown; genesis?: unknown };
    if ('encoded' in spec && 'encoding' in spec)
      return {
        kind: 'unknown',
        why: `${fileName} is an account. Drop it in Send, under “Add account…”.`,
      };
    if (typeof spec.genesis !== 'object' || spec.genesis === null)
      return {
        kind: 'unknown',
        why: `${fileName} is JSON, but not a chain spec: it has no "genesis".`,
      };
    return {
      kind: 'spec',
      name: typeof spec.name === 'string' ? spec.name : baseName(fileName),
      specJson: text,
    };
  } catch (fault) {
    return { kind: 'unknown', why: `${fileName} cannot be read as JSON: ${String(fault)}` };
  }
};

/**
 * Classifies a file by its content: runtime (raw or compressed Wasm), chain spec (JSON), exported chain, packed fork or
 * blocks.
 */
export const readChainFile = async (file: File): Promise<ChainFile> => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (startsWith(bytes, wasmMagic) || startsWith(bytes, zstdBlobMagic))
    return { kind: 'runtime', name: baseName(file.name), fileName: file.name, wasm: bytes };
  if (startsWith(bytes, forkMagic)) return { kind: 'pack', name: '', fileName: file.name, pack: bytes };
  if (startsWith(bytes, blockMagic))
    return {
      kind: 'unknown',
      why: `${file.name} holds one block of a live chain, not a fork. Execute it with: tabnode run-block --pack ${file.name}`,
    };
  const first = bytes.find((byte) => byte > 0x20);
  if (first === 0x7b) return readText(new TextDecoder().decode(bytes), file.name);
  return (
    readBinaryBlocks(bytes, file.name) ?? {
      kind: 'unknown',
      why: `${file.name} is not a runtime (.wasm), a chain spec (.json), an exported chain, the pack of a fork or a file of blocks.`,
    }
  );
};

/** The origin and payload of a chain created from the file. */
export const toOrigin = (
  file: Exclude<ChainFile, { kind: 'unknown' | 'blocks' | 'pack' }>,
  preset: string | null,
): { readonly origin: ChainOrigin; readonly payload: ChainPayload | null } => {
  if (file.kind === 'spec') return { origin: { kind: 'spec' }, payload: { specJson: file.specJson } };
  if (file.kind === 'runtime') return { origin: { kind: 'wasm', preset }, payload: { wasm: file.wasm } };
  return file.archive;
};
