import { toHex } from '../meta/hex.ts';
import { type ChainArchive, readArchive } from './chain-archive.ts';
import type { ChainOrigin, ChainPayload } from './chain-entry.ts';

/** Blocks without the chain they belong to, as `dev_exportChain` and the SDK's `export-blocks` write them. */
export type BlocksFile = {
  readonly kind: 'blocks';
  readonly name: string;
  readonly count: number;
  /** Lines of JSON, or the whole binary export as one 0x text. */
  readonly lines: readonly string[];
};

/** What a dropped or picked file turned out to be. */
export type ChainFile =
  | { readonly kind: 'runtime'; readonly name: string; readonly wasm: Uint8Array }
  | { readonly kind: 'spec'; readonly name: string; readonly specJson: string }
  | { readonly kind: 'archive'; readonly name: string; readonly archive: ChainArchive }
  | BlocksFile
  | { readonly kind: 'unknown'; readonly why: string };

/** Names what was dropped, for the dialog that asks what to do with it. */
export const fileTitle = (file: ChainFile): string =>
  file.kind === 'unknown'
    ? 'File not recognized'
    : `${{ runtime: 'Runtime', spec: 'Chain spec', archive: 'Exported chain', blocks: 'Blocks' }[file.kind]} “${file.name}”`;

const wasmMagic = [0x00, 0x61, 0x73, 0x6d];
/** Prefix of a compressed runtime (sp_maybe_compressed_blob). */
const zstdBlobMagic = [0x52, 0xbc, 0x53, 0x76, 0x46, 0xdb, 0x8e, 0x05];

const startsWith = (bytes: Uint8Array, magic: readonly number[]): boolean =>
  magic.every((byte, index) => bytes[index] === byte);

const baseName = (fileName: string): string =>
  fileName.replace(/(\.compact|\.compressed|\.wasm|\.json)+$/i, '').replace(/[_-]+/g, ' ') || 'Chain';

/** `export-blocks --binary`: a u64 count, small enough to have no upper half. */
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

/** The SDK writes blocks one right after the other. */
const between = /\n|(?<=\})(?=\{"block")/;

/** Told by the first block of the file; the line of `dev_exportChain` before it has the marks of its chain. */
const readBlocks = (text: string, name: string): BlocksFile | null => {
  const lines = text.split(between).filter((line) => line.trim() !== '');
  const marks = lines[0]?.includes('"tabnode"') ? 1 : 0;
  const count = lines.length - marks;
  return isBlock(lines[marks] ?? '') ? { kind: 'blocks', name, count, lines } : null;
};

const readText = (text: string, fileName: string): ChainFile => {
  const archive = readArchive(text);
  if (archive !== null) return { kind: 'archive', name: archive.name, archive };
  const blocks = readBlocks(text, fileName);
  if (blocks !== null) return blocks;
  try {
    const spec = JSON.parse(text) as { name?: unknown; genesis?: unknown };
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

/** Tells a runtime (raw or compressed Wasm), a chain specification (JSON), an exported chain and blocks alone by their content. */
export const readChainFile = async (file: File): Promise<ChainFile> => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (startsWith(bytes, wasmMagic) || startsWith(bytes, zstdBlobMagic))
    return { kind: 'runtime', name: baseName(file.name), wasm: bytes };
  const first = bytes.find((byte) => byte > 0x20);
  if (first === 0x7b) return readText(new TextDecoder().decode(bytes), file.name);
  return (
    readBinaryBlocks(bytes, file.name) ?? {
      kind: 'unknown',
      why: `${file.name} is not a runtime (.wasm), a chain spec (.json), an exported chain or a file of blocks.`,
    }
  );
};

/** How the file becomes a chain. */
export const toOrigin = (
  file: Exclude<ChainFile, { kind: 'unknown' | 'blocks' }>,
  preset: string | null,
): { readonly origin: ChainOrigin; readonly payload: ChainPayload | null } => {
  if (file.kind === 'spec') return { origin: { kind: 'spec' }, payload: { specJson: file.specJson } };
  if (file.kind === 'runtime') return { origin: { kind: 'wasm', preset }, payload: { wasm: file.wasm } };
  return file.archive;
};
