import { parseJson, writeJson } from '../../src/protocol/json.ts';
import type { Answer, CallEntry } from './call-entry.ts';

/** Calls that are kept, favourites beside them. */
export const maxCalls = 200;
/** Characters of an answer that outlive a reload. */
export const maxBody = 20_000;
/** Of the newest calls the whole answer stays in memory, however big. */
const wholeAnswers = 20;

/** An answer of at most `maxBody` characters. */
export const cutAnswer = (answer: Answer): Answer => {
  if (answer.kind !== 'whole') return answer;
  const text = writeJson(answer.value);
  return text.length <= maxBody ? answer : { kind: 'cut', text: text.slice(0, maxBody) };
};

/** The newest calls and the newest favourites; big answers of the older ones are cut. Newest first. */
export const capCalls = (entries: readonly CallEntry[]): readonly CallEntry[] => {
  const left = { plain: maxCalls, starred: maxCalls };
  const kept = entries.filter(({ starred }) => left[starred ? 'starred' : 'plain']-- > 0);
  return kept.map((entry, index) =>
    index >= wholeAnswers && entry.answer.kind === 'whole' && (entry.sizeBytes ?? 0) > maxBody
      ? { ...entry, answer: cutAnswer(entry.answer) }
      : entry,
  );
};

/** What runs on is not kept as running: nothing of it is left after a reload. */
const settled = (entry: CallEntry): CallEntry =>
  entry.state === 'pending'
    ? { ...entry, state: 'cancelled' }
    : entry.state === 'open'
      ? { ...entry, state: 'ok' }
      : entry;

/** Entries never change, and each frame of a subscription writes all of them: of one the text is made once. */
const texts = new WeakMap<CallEntry, string>();
const textOf = (entry: CallEntry): string => {
  const known = texts.get(entry);
  if (known !== undefined) return known;
  const text = writeJson({ ...settled(entry), answer: cutAnswer(entry.answer) });
  texts.set(entry, text);
  return text;
};

/** The calls as one text for the browser's storage. */
export const writeCalls = (entries: readonly CallEntry[]): string => `[${entries.map(textOf).join(',')}]`;

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

/** Reads what `writeCalls` wrote, newest first; what is not of that form is left out. Ids count up with age reversed. */
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
