import { readKeptList } from '../../page/kept.ts';
import type { SentItem } from './sent-item.ts';

/** Maximum number of transactions in the list. */
export const maxSent = 100;
/**
 * Maximum characters stored across reloads: per transaction (longer bytes, such as a runtime's code, are
 * omitted) and in total.
 */
const maxHex = 16_384;
const maxText = 200_000;

const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNull = (value: unknown): boolean => value === null || isText(value);
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isStep = (value: unknown): boolean =>
  isRecord(value) && isText(value['name']) && isTextOrNull(value['hash']) && Number.isFinite(value['atMs']);

const isBlock = (value: unknown): boolean =>
  isRecord(value) &&
  isText(value['hash']) &&
  Number.isFinite(value['number']) &&
  Number.isFinite(value['index']);

const isOutcome = (value: unknown): boolean =>
  isRecord(value) && (value['kind'] === 'failed' ? isText(value['text']) : isText(value['kind']));

const isSent = (value: unknown): value is SentItem =>
  isRecord(value) &&
  ['id', 'hash', 'label', 'args', 'by'].every((name) => isText(value[name])) &&
  isTextOrNull(value['hex']) &&
  isTextOrNull(value['refused']) &&
  typeof value['open'] === 'boolean' &&
  Number.isFinite(value['atMs']) &&
  Array.isArray(value['steps']) &&
  value['steps'].every(isStep) &&
  (value['block'] === null || isBlock(value['block'])) &&
  (value['outcome'] === null || isOutcome(value['outcome']));

/** Serializes the newest transactions; their events are omitted, because the block's page has them. */
export const writeSent = (items: readonly SentItem[]): string => {
  let left = maxText;
  const texts = items
    .map(({ lost: _, ...item }) =>
      JSON.stringify({
        ...item,
        hex: (item.hex?.length ?? 0) > maxHex ? null : item.hex,
        args: item.args.slice(0, 1000),
        events: [],
      }),
    )
    .filter((text) => {
      left -= text.length;
      return left >= 0;
    });
  return `[${texts.join(',')}]`;
};

/**
 * Reads the output of `writeSent` from local storage, newest first. Nobody watched the transactions that were in
 * flight then; the caller searches for them on the chain.
 */
export const readSent = (key: string, nowMs: number): readonly SentItem[] =>
  (readKeptList(localStorage, key, isSent) ?? []).slice(0, maxSent).map((item) => {
    if (!item.open) return { ...item, events: [], lost: false };
    const steps = item.steps.filter(({ name }) => name !== 'unknown' && name !== 'not included');
    const unknown = { name: 'unknown', hash: null, atMs: nowMs };
    return { ...item, steps: [...steps, unknown], events: [], lost: true, block: null, outcome: null };
  });
