import { type ChainArchive, readArchive } from './chain-archive.ts';
import type { ChainOrigin, ChainPayload } from './chain-entry.ts';

/** What a dropped or picked file turned out to be. */
export type ChainFile =
  | { readonly kind: 'runtime'; readonly name: string; readonly wasm: Uint8Array }
  | { readonly kind: 'spec'; readonly name: string; readonly specJson: string }
  | { readonly kind: 'archive'; readonly name: string; readonly archive: ChainArchive }
  | { readonly kind: 'unknown'; readonly why: string };

const wasmMagic = [0x00, 0x61, 0x73, 0x6d];
/** Prefix of a compressed runtime (sp_maybe_compressed_blob). */
const zstdBlobMagic = [0x52, 0xbc, 0x53, 0x76, 0x46, 0xdb, 0x8e, 0x05];

const startsWith = (bytes: Uint8Array, magic: readonly number[]): boolean =>
  magic.every((byte, index) => bytes[index] === byte);

const baseName = (fileName: string): string =>
  fileName.replace(/(\.compact|\.compressed|\.wasm|\.json)+$/i, '').replace(/[_-]+/g, ' ') || 'Chain';

const readText = (text: string, fileName: string): ChainFile => {
  const archive = readArchive(text);
  if (archive !== null) return { kind: 'archive', name: archive.name, archive };
  try {
    const spec = JSON.parse(text) as { name?: unknown; genesis?: unknown };
    if (typeof spec.genesis !== 'object' || spec.genesis === null)
      return {
        kind: 'unknown',
        why: `${fileName} is JSON, but no chain specification: it has no "genesis".`,
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

/** Tells a runtime (raw or compressed Wasm), a chain specification (JSON) and an exported chain by their content. */
export const readChainFile = async (file: File): Promise<ChainFile> => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (startsWith(bytes, wasmMagic) || startsWith(bytes, zstdBlobMagic))
    return { kind: 'runtime', name: baseName(file.name), wasm: bytes };
  const first = bytes.find((byte) => byte > 0x20);
  if (first === 0x7b) return readText(new TextDecoder().decode(bytes), file.name);
  return {
    kind: 'unknown',
    why: `${file.name} is neither a runtime (.wasm) nor a chain specification (JSON) nor an exported chain.`,
  };
};

/** How the file becomes a chain. */
export const toOrigin = (
  file: Exclude<ChainFile, { kind: 'unknown' }>,
  preset: string | null,
): { readonly origin: ChainOrigin; readonly payload: ChainPayload | null } => {
  if (file.kind === 'spec') return { origin: { kind: 'spec' }, payload: { specJson: file.specJson } };
  if (file.kind === 'runtime') return { origin: { kind: 'wasm', preset }, payload: { wasm: file.wasm } };
  return file.archive;
};
