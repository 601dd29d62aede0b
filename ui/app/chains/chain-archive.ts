import type { SealMode } from '../../../src/index.ts';
import { writeJson } from '../../../src/protocol/json.ts';
import { isText } from '../../kit/page/guards.ts';
import { attempt } from '../../kit/text/format.ts';
import { type ChainModes, readModes } from '../../node/client/chain-modes.ts';
import type { UiNode } from '../../node/client/ui-node.ts';
import type { ChainEntry, ChainOrigin, ChainPayload } from '../../node/session/chain-entry.ts';
import type { Session } from '../../node/session/session.svelte.ts';

/** An exported chain: a line that describes its origin, followed by the lines of `dev_exportChain`. */
export type ChainArchive = {
  readonly name: string;
  readonly origin: ChainOrigin;
  readonly payload: ChainPayload | null;
  readonly modes: ChainModes;
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
export const writeArchive = (
  { name, origin }: ChainEntry,
  modes: ChainModes,
  payload: ChainPayload | null,
  exported: string,
): string => {
  const extra =
    payload === null ? {} : 'wasm' in payload ? { wasm: toBase64(payload.wasm) } : { spec: payload.specJson };
  return `${writeJson({ tabnodeChain: version, name, origin, modes, ...extra })}\n${exported}`;
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

/** Parses an archive; null if the text is not one. Throws if it is one that cannot be read. */
export const readArchive = (text: string): ChainArchive | null => {
  if (!text.startsWith('{"tabnodeChain"')) return null;
  const [first = '', ...lines] = text.split('\n').filter((line) => line.trim() !== '');
  const head = attempt(() => JSON.parse(first) as Readonly<Record<string, unknown>>).value ?? {};
  const { tabnodeChain: written = version, origin, name } = head;
  if (written !== version)
    throw new Error(
      `It was exported by another version of Tabnode (format ${String(written)}, not ${version}).`,
    );
  if (!isOrigin(origin)) throw new Error('Its first line, which describes the chain, is damaged.');
  return {
    name: isText(name) ? name : 'Imported chain',
    origin,
    payload: readPayload(head),
    modes: readModes(writeJson(head['modes'] ?? null)),
    lines,
  };
};

/** How far an import or export has come; it ends with an error when the signal aborts. */
export type Transfer = {
  /** Receives the number of blocks done, and of all. */
  onProgress(done: number, all: number): void;
  readonly signal: AbortSignal;
};

/** Blocks per request, because the size of a result is limited. */
const exportedAtOnce = 64;

/** Exports the whole best chain with `dev_exportChain`, page by page. */
export const exportLines = async (node: UiNode, { onProgress, signal }: Transfer): Promise<string> => {
  const best = Number((await node.request('chain_getHeader', []))?.number);
  const head = () => node.request('chain_getBlockHash', [best]);
  const hash = await head();
  onProgress(0, best);
  const pages: string[] = [];
  for (let from = 1; from <= Math.max(best, 1); from += exportedAtOnce) {
    signal.throwIfAborted();
    const to = Math.min(from + exportedAtOnce - 1, best);
    const text = String(await node.request('dev_exportChain', ['json', from, to]));
    // Every page starts with the chain's metadata line; keep only the first.
    pages.push(from === 1 ? text : text.slice(text.indexOf('\n') + 1));
    onProgress(to, best);
  }
  if ((await head()) !== hash) throw new Error('The best chain changed during the export. Export it again.');
  return pages.join('');
};

/** A request for this many blocks takes less than a second. */
const importedAtOnce = 25;

/** Whether the first line describes the chain, as `dev_exportChain` writes it. */
const hasMarks = ([first]: readonly string[]): boolean => first?.includes('"tabnode"') ?? false;

export const blocksIn = (lines: readonly string[]): number => lines.length - Number(hasMarks(lines));

/** The error with the line of the file instead of the line of the request. */
const atLine = (error: unknown, skipped: number): unknown =>
  error instanceof Error
    ? Object.assign(error, {
        message: error.message.replace(/^Line (\d+)/, (_all, line) => `Line ${Number(line) + skipped}`),
      })
    : error;

/** What to do about blocks that do not follow the finalized block of the chain. */
export const recoveryHint = (error: unknown, chain: string | null): string =>
  (error as { readonly data?: unknown }).data === 'UnknownParent'
    ? `. Roll ${chain} back to the last block it shares with the file, or import into a new chain from the same spec.`
    : '';

/**
 * Imports blocks in batches. Returns how many of them are then in the chain, including blocks that were
 * already known, and how many justifications were invalid and left out. `skipped`: lines of the file before
 * the given ones.
 */
export const importBlocks = async (
  node: UiNode,
  lines: readonly string[],
  { onProgress, signal }: Transfer,
  skipped = 0,
): Promise<{ readonly imported: number; readonly badJustifications: number }> => {
  // Every batch needs the chain time in the export's first line; its snapshots also need their blocks to
  // exist.
  const all = blocksIn(lines);
  const marks = all < lines.length ? `${lines[0]}\n` : '';
  const blocks = lines.slice(lines.length - all);
  let imported = 0;
  let badJustifications = 0;
  for (let at = 0; at === 0 || at < all; at += importedAtOnce) {
    signal.throwIfAborted();
    const next = at + importedAtOnce;
    const data = marks + blocks.slice(at, next).join('\n');
    try {
      const result = await node.request('dev_importChain', [data, next < all]);
      imported += result.blocks;
      badJustifications += result.badJustifications?.count ?? 0;
    } catch (error) {
      throw atLine(error, skipped + at);
    }
    onProgress(Math.min(all, next), all);
  }
  return { imported, badJustifications };
};

/**
 * Imports blocks into the open chain; the node seals none meanwhile. A chain that was created for them seals as
 * `whole` says once all were imported.
 */
export const fillChain = async <T>(
  session: Session,
  load: (node: UiNode) => Promise<T>,
  whole: SealMode | null = null,
): Promise<T> => {
  const { entry, node, book } = session;
  if (entry === null || node === null) throw new Error('The chain is no longer open.');
  session.filling = true;
  try {
    const loaded = await load(node);
    if (whole !== null) {
      await book.change(entry.id, { isPartial: false });
      const { seal } = await node.status();
      session.filling = false;
      // It was created to seal by hand. Another client may have chosen a mode meanwhile.
      if (seal.kind === 'manual') await node.request('dev_setSealMode', [whole]);
    }
    return loaded;
  } finally {
    session.filling = false;
  }
};
