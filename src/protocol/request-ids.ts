import { parseJson, writeJson } from './json.ts';
import { createScan } from './json-scan.ts';
import { maxWholeText } from './limits.ts';

const id = '(-?\\d{1,15}|"[\\w:.-]{0,100}")';
/** The beginning of a call as most clients write it, and the end of one whose id is its last member. */
const head = new RegExp(`^\\{(?:"jsonrpc":"2\\.0",)?"id":${id},`);
const tail = new RegExp(`,\\s{0,9}"id"\\s{0,9}:\\s{0,9}${id}\\s{0,9}\\}\\s{0,9}$`);
/** More characters than the end of a call has that contains its id. */
const tailLength = 160;

/** The id at the beginning of a call, as JSON, without reading the rest; null if it is not there. */
export const idAtHead = (text: string): string | null => head.exec(text)?.[1] ?? null;

/**
 * The id at the beginning or end of a call, as JSON, without reading the rest; null if it is not there. The last
 * member of a text that is one object is a member of that object.
 */
export const idAtEnds = (text: string): string | null =>
  idAtHead(text) ?? (/^\s{0,9}\{/.test(text) ? (tail.exec(text.slice(-tailLength))?.[1] ?? null) : null);

/** The ids in a client's texts, as JSON. Notifications and texts that are not calls have none. */
export type Ids = { readonly ids: readonly string[]; readonly isBatch: boolean };

/**
 * A longer text whose id is not at its beginning or end is not read a second time, because that would hold up
 * other clients.
 */
const maxReadLength = 1024 * 1024;
/** Nor is one that would take long to parse because it has more calls, or a call that costs more. */
const maxCalls = 50_000;
const maxCost = 50_000;
const maxIdLength = 300;
const none: Ids = { ids: [], isBatch: false };

const readIdAtEnds = (text: string): Ids => {
  const id = idAtEnds(text);
  return id === null ? none : { ids: [id], isBatch: false };
};

const idOf = (call: unknown): readonly string[] => {
  const id = (call as { readonly id?: unknown } | null)?.id;
  if (typeof id !== 'string' && typeof id !== 'number' && typeof id !== 'bigint') return [];
  const text = writeJson(id);
  return text.length > maxIdLength ? [] : [text];
};

const isCostly = (text: string): boolean => {
  if (text.length <= maxWholeText) return false;
  const scan = createScan(text.trimStart(), { maxCost, maxParts: maxCalls });
  return scan.step(text.length) !== 'whole';
};

export const readIds = (text: string): Ids => {
  const first = idAtHead(text);
  if (first !== null) return { ids: [first], isBatch: false };
  if (text.length > maxReadLength || isCostly(text)) return readIdAtEnds(text);
  try {
    const value = parseJson(text);
    return Array.isArray(value)
      ? { ids: value.flatMap(idOf), isBatch: true }
      : { ids: idOf(value), isBatch: false };
  } catch {
    return none;
  }
};

/** An error to every call of a text, given its ids. A text without any gets one without an id. */
export const writeErrors = ({ ids, isBatch }: Ids, error: object): string => {
  const body = JSON.stringify(error);
  const texts = (ids.length === 0 ? ['null'] : ids).map(
    (id) => `{"jsonrpc":"2.0","id":${id},"error":${body}}`,
  );
  return isBatch && ids.length > 0 ? `[${texts.join(',')}]` : (texts[0] as string);
};

/** The response to a text that is refused without being handled; long ones are not read for it. */
export const writeRefusal = (text: string, error: object): string =>
  writeErrors(text.length > maxWholeText ? readIdAtEnds(text) : readIds(text), error);
