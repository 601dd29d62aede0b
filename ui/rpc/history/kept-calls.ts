import { parseJson, writeJson } from '../../../src/protocol/json.ts';
import type { Answer, CallEntry } from './call-entry.ts';

/** How many calls are kept, and how many favorites in addition. */
export const maxCalls = 200;
/** Characters of an answer that are stored. */
export const maxBody = 20_000;
/** Characters of all calls that are stored with their answers: each change writes them again. */
export const maxStored = 1_000_000;
/** How many of the newest calls keep their whole answer in memory, whatever its size. */
const wholeAnswers = 20;

/** Cuts an answer to `maxBody` characters. */
export const cutAnswer = (answer: Answer): Answer => {
  if (answer.kind !== 'whole') return answer;
  const text = writeJson(answer.value);
  return text.length <= maxBody ? answer : { kind: 'cut', text: text.slice(0, maxBody) };
};

/** Keeps the newest calls and the newest favorites, and cuts big answers of the older ones. Newest first. */
export const capCalls = (entries: readonly CallEntry[]): readonly CallEntry[] => {
  const left = { plain: maxCalls, starred: maxCalls };
  const kept = entries.filter(({ starred }) => left[starred ? 'starred' : 'plain']-- > 0);
  return kept.map((entry, index) =>
    index >= wholeAnswers && entry.answer.kind === 'whole' && (entry.sizeBytes ?? 0) > maxBody
      ? { ...entry, answer: cutAnswer(entry.answer) }
      : entry,
  );
};

/** Running calls and subscriptions end with the page, so they are stored as ended. */
const settled = (entry: CallEntry): CallEntry =>
  entry.state === 'pending'
    ? { ...entry, state: 'cancelled' }
    : entry.state === 'open'
      ? { ...entry, state: 'ok' }
      : entry;

export const withoutAnswer = (entry: CallEntry): CallEntry => ({ ...entry, answer: { kind: 'none' } });

/** Entries are immutable, but all are written again when one is replaced: cache the text of each. */
const texts = new WeakMap<CallEntry, string>();
const textOf = (entry: CallEntry): string => {
  const known = texts.get(entry);
  if (known !== undefined) return known;
  const text = writeJson({ ...settled(entry), answer: cutAnswer(entry.answer) });
  texts.set(entry, text);
  return text;
};

/** Serializes the calls for the browser's storage; the oldest answers are left out of a text that is too long. */
export const writeCalls = (entries: readonly CallEntry[]): string => {
  let left = maxStored;
  const written = entries.map((entry) => {
    const text = textOf(entry);
    if (text.length > left) return textOf(withoutAnswer(entry));
    left -= text.length;
    return text;
  });
  return `[${written.join(',')}]`;
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const states: readonly unknown[] = ['ok', 'error', 'cancelled'];

const readAnswer = (value: unknown): Answer => {
  if (!isRecord(value)) return { kind: 'none' };
  if (value['kind'] === 'whole') return { kind: 'whole', value: value['value'] };
  const text = value['text'];
  return value['kind'] === 'cut' && typeof text === 'string' ? { kind: 'cut', text } : { kind: 'none' };
};

const numberOr = <T>(value: unknown, other: T): number | T => (typeof value === 'number' ? value : other);

const readEntry = (value: unknown, id: number): CallEntry | null => {
  if (!isRecord(value)) return null;
  const { method, params, state, label } = value;
  if (typeof method !== 'string' || typeof params !== 'string' || !states.includes(state)) return null;
  return {
    id,
    method,
    params,
    state: state as CallEntry['state'],
    atMs: numberOr(value['atMs'], 0),
    ms: numberOr(value['ms'], null),
    sizeBytes: numberOr(value['sizeBytes'], null),
    answer: readAnswer(value['answer']),
    count: numberOr(value['count'], 0),
    label: typeof label === 'string' ? label : '',
    starred: value['starred'] === true,
  };
};

/** Reads what `writeCalls` wrote, newest first; invalid entries are left out. Newer calls get higher ids. */
export const readCalls = (text: string | null): readonly CallEntry[] => {
  try {
    const list = text === null ? [] : parseJson(text);
    if (!Array.isArray(list)) return [];
    return list
      .map((value: unknown, index) => readEntry(value, list.length - index))
      .filter((entry) => entry !== null);
  } catch {
    return [];
  }
};
