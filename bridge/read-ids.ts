import { parseJson, writeJson } from '../src/protocol/json.ts';

/** The ids in the texts of a client, as JSON. Notifications and what is no call have none. */
export type Ids = { readonly ids: readonly string[]; readonly isBatch: boolean };

/** The beginning of a call as most clients write it. */
const head = /^\{(?:"jsonrpc":"2\.0",)?"id":(-?\d{1,15}|"[\w:.-]{0,100}"),/;

/** A longer text whose id is not at its beginning is not read a second time: that would hold up the others. */
const maxReadLength = 1024 * 1024;
const maxIdLength = 300;
const none: Ids = { ids: [], isBatch: false };

const idOf = (call: unknown): readonly string[] => {
  const id = (call as { readonly id?: unknown } | null)?.id;
  if (typeof id !== 'string' && typeof id !== 'number' && typeof id !== 'bigint') return [];
  const text = writeJson(id);
  return text.length > maxIdLength ? [] : [text];
};

export const readIds = (text: string): Ids => {
  const first = head.exec(text)?.[1];
  if (first !== undefined) return { ids: [first], isBatch: false };
  if (text.length > maxReadLength) return none;
  try {
    const value = parseJson(text);
    return Array.isArray(value)
      ? { ids: value.flatMap(idOf), isBatch: true }
      : { ids: idOf(value), isBatch: false };
  } catch {
    return none;
  }
};
