import { writeJson } from '../../../src/protocol/json.ts';
import { isBoolean, isNumber, isShape, isText, orNull } from '../../page/guards.ts';
import { parseList } from '../../page/kept.ts';
import { type Answer, type CallEntry, stateWords } from './call-entry.ts';

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
  const text = answer.kind === 'whole' ? writeJson(answer.value) : '';
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

/** Running calls and subscriptions end with the page; what such a call did is not known. */
const settled = ({ state }: CallEntry): CallEntry['state'] =>
  state === 'pending' ? 'unanswered' : state === 'open' ? 'ok' : state;

export const withoutAnswer = (entry: CallEntry): CallEntry => ({ ...entry, answer: { kind: 'none' } });

/** A call whose params have a secret, as it is kept. An error of the node may have its arguments in it. */
export const withoutSecret = (entry: CallEntry): CallEntry => ({
  ...withoutAnswer(entry),
  params: '',
  isHidden: true,
});

/** Entries are immutable, but all are written again when one is replaced: cache the text of each. */
const texts = new WeakMap<CallEntry, string>();
const textOf = (entry: CallEntry): string => {
  const known = texts.get(entry);
  if (known !== undefined) return known;
  const kept = entry.isHidden ? withoutAnswer(entry) : entry;
  const text = writeJson({ ...kept, state: settled(entry), answer: cutAnswer(kept.answer) });
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

const isKept = isShape<CallEntry>({
  id: isNumber,
  method: isText,
  params: isText,
  state: (state): state is CallEntry['state'] => String(state) in stateWords,
  atMs: isNumber,
  ms: orNull(isNumber),
  sizeBytes: orNull(isNumber),
  answer: (answer): answer is Answer =>
    isShape<{ kind: string }>({ kind: isText })(answer) &&
    (answer.kind !== 'cut' || isShape<{ text: string }>({ text: isText })(answer)),
  count: isNumber,
  label: isText,
  starred: isBoolean,
  best: (best): best is string | undefined => best === undefined || isText(best),
});

/** Reads what `writeCalls` wrote, newest first; invalid entries are left out. */
export const readCalls = (text: string | null): readonly CallEntry[] =>
  (parseList(text ?? '') ?? []).filter(isKept);
