import { parseJson, writeJson } from '../src/protocol/json.ts';
import { createScan } from '../src/protocol/json-scan.ts';
import { maxWholeText } from '../src/protocol/limits.ts';
import { idAtHead } from '../src/protocol/request-id.ts';

/** The ids in a client's texts, as JSON. Notifications and texts that are not calls have none. */
export type Ids = { readonly ids: readonly string[]; readonly isBatch: boolean };

/**
 * A longer text whose id is not at its beginning is not read a second time, because that would hold up other
 * clients.
 */
const maxReadLength = 1024 * 1024;
/** Nor is one that would take long to parse because it has more calls, or a call that costs more. */
const maxCalls = 50_000;
const maxCost = 50_000;
const maxIdLength = 300;
const none: Ids = { ids: [], isBatch: false };

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
  if (text.length > maxReadLength || isCostly(text)) return none;
  try {
    const value = parseJson(text);
    return Array.isArray(value)
      ? { ids: value.flatMap(idOf), isBatch: true }
      : { ids: idOf(value), isBatch: false };
  } catch {
    return none;
  }
};
