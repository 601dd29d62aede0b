import { isBoolean, isListOf, isNumber, isShape, isText, orNull } from '../../kit/page/guards.ts';
import { readKeptList, writeKeptList } from '../../kit/page/kept.ts';
import type { Era, SentItem } from './sent-item.ts';
import { expired, notIncluded, unknown } from './tx-words.ts';

/** Maximum number of transactions in the list. */
export const maxSent = 100;
/**
 * Maximum characters stored across reloads: per transaction (longer bytes, such as a runtime's code, are
 * omitted) and in total.
 */
const maxHex = 16_384;
const maxText = 200_000;

const isStep = isShape<SentItem['steps'][number]>({ name: isText, hash: orNull(isText), atMs: isNumber });
const isBlock = isShape<NonNullable<SentItem['block']>>({ hash: isText, number: isNumber, index: isNumber });
const isEra = isShape<Era>({ birth: isNumber, until: isNumber });
const isOutcome = (value: unknown): value is NonNullable<SentItem['outcome']> =>
  isShape<{ kind: string }>({ kind: isText })(value) &&
  (value.kind !== 'failed' || isShape<{ text: string }>({ text: isText })(value));

const isSent = isShape<SentItem>({
  id: isText,
  hash: isText,
  label: isText,
  args: isText,
  by: isText,
  hex: orNull(isText),
  refused: orNull(isText),
  era: (value): value is Era | undefined => value === undefined || isEra(value),
  open: isBoolean,
  atMs: isNumber,
  steps: isListOf(isStep),
  block: orNull(isBlock),
  outcome: orNull(isOutcome),
});

/** Stores the newest transactions; their events are omitted, because the block's page has them. */
export const writeSent = (key: string, items: readonly SentItem[]): void =>
  writeKeptList(
    localStorage,
    key,
    items.map(({ lost: _, ...item }) => ({
      ...item,
      hex: (item.hex?.length ?? 0) > maxHex ? null : item.hex,
      args: item.args.slice(0, 1000),
      events: [],
    })),
    maxText,
  );

/** A transaction that nobody watches any more. */
export const lose = (item: SentItem, nowMs: number): SentItem => {
  const steps = item.steps.filter(({ name }) => ![unknown, notIncluded, expired].includes(name));
  return {
    ...item,
    steps: [...steps, { name: unknown, hash: null, atMs: nowMs }],
    events: [],
    open: true,
    lost: true,
    block: null,
    outcome: null,
  };
};

/**
 * Reads what `writeSent` stored, newest first. Nobody watched the transactions that were in
 * flight then, and of one that was just finalized the outcome may be missing; the caller searches for them on the
 * chain.
 */
export const readSent = (key: string, nowMs: number): readonly SentItem[] =>
  (readKeptList(localStorage, key, isSent) ?? []).slice(0, maxSent).map((item) => {
    const isRead = item.outcome !== null || item.steps.at(-1)?.name !== 'finalized';
    if (!item.open && isRead) return { ...item, events: [], lost: false };
    if (item.hash === '') {
      const refused = 'The page or its node ended before it was signed.';
      return { ...item, refused, open: false, events: [], lost: false };
    }
    return lose(item, nowMs);
  });
