import type { SealMode } from '../../src/index.ts';
import type { UiNode } from '../client/ui-node.ts';
import type { ChainEntry, ChainOrigin, ChainPayload } from '../session/chain-entry.ts';

/** An exported chain: a line that describes its origin, followed by the lines of `dev_exportChain`. */
export type ChainArchive = {
  readonly name: string;
  readonly origin: ChainOrigin;
  readonly payload: ChainPayload | null;
  /** The lines after the first. */
  readonly lines: readonly string[];
};

const version = 1;

const toBase64 = (bytes: Uint8Array): string => {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000)
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
};

const fromBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** Serializes the archive. */
export const writeArchive = (entry: ChainEntry, payload: ChainPayload | null, exported: string): string => {
  const { name, origin } = entry;
  const extra =
    payload === null ? {} : 'wasm' in payload ? { wasm: toBase64(payload.wasm) } : { spec: payload.specJson };
  return `${JSON.stringify({ tabnodeChain: version, name, origin, ...extra })}\n${exported}`;
};

const readPayload = (head: Readonly<Record<string, unknown>>): ChainPayload | null => {
  if (typeof head['spec'] === 'string') return { specJson: head['spec'] };
  if (typeof head['wasm'] === 'string') return { wasm: fromBase64(head['wasm']) };
  return null;
};

const isOrigin = (value: unknown): value is ChainOrigin =>
  typeof value === 'object' &&
  value !== null &&
  ['preset', 'spec', 'wasm'].includes(String((value as { kind?: unknown }).kind));

/** Parses an archive; null if the text is not one. */
export const readArchive = (text: string): ChainArchive | null => {
  const end = text.indexOf('\n');
  if (end < 0) return null;
  try {
    const head = JSON.parse(text.slice(0, end)) as Readonly<Record<string, unknown>>;
    if (head['tabnodeChain'] !== version || !isOrigin(head['origin'])) return null;
    const lines = text
      .slice(end + 1)
      .split('\n')
      .filter((line) => line.trim() !== '');
    return { name: String(head['name']), origin: head['origin'], payload: readPayload(head), lines };
  } catch {
    return null;
  }
};

const batch = 100;

/** Blocks per request, because response size is limited. */
const blocksAtOnce = 64;

/** Exports the whole best chain with `dev_exportChain`, page by page. */
export const exportLines = async (node: UiNode): Promise<string> => {
  const best = Number((await node.request('chain_getHeader', []))?.number);
  const pages: string[] = [];
  for (let from = 1; from <= Math.max(best, 1); from += blocksAtOnce) {
    const to = Math.min(from + blocksAtOnce - 1, best);
    const text = String(await node.request('dev_exportChain', ['json', from, to]));
    // Every page starts with the chain's metadata line; keep only the first.
    pages.push(from === 1 ? text : text.slice(text.indexOf('\n') + 1));
  }
  return pages.join('');
};

/** No local block may be sealed between imported blocks. */
export const importSeal: SealMode = { kind: 'manual' };

/**
 * Imports blocks in batches. Returns how many of them are then in the chain, including blocks that were
 * already known. `onProgress` receives the completed share, 0 to 1.
 */
export const importBlocks = async (
  node: UiNode,
  lines: readonly string[],
  onProgress: (share: number) => void,
): Promise<number> => {
  // Every batch needs the chain time in the export's first line; its snapshots also need their blocks to
  // exist.
  const has = lines[0]?.includes('"tabnode"');
  const marks = has ? `${lines[0]}\n` : '';
  const blocks = has ? lines.slice(1) : lines;
  let imported = 0;
  for (let at = 0; at === 0 || at < blocks.length; at += batch) {
    const data = marks + blocks.slice(at, at + batch).join('\n');
    imported += (await node.request('dev_importChain', [data])).blocks;
    onProgress(Math.min(1, (at + batch) / blocks.length));
  }
  return imported;
};
