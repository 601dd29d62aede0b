import type { Era } from '../../../src/scale/era.ts';
import { isBoolean, isListOf, isNumber, isShape, isText, orNull } from '../../kit/page/guards.ts';
import type { SentItem } from './sent-item.ts';
import { expired, notIncluded, unknown } from './tx-status.ts';

/** Maximum number of transactions in the list. */
export const maxSent = 100;
/**
 * Maximum characters stored across reloads: per transaction (longer bytes, such as a runtime's code, are
 * omitted) and in total.
 */
const maxHex = 16_384;
export const maxText = 200_000;

const isStep = isShape<SentItem['steps'][number]>({ name: isText, hash: orNull(isText), atMs: isNumber });
const isBlock = isShape<NonNullable<SentItem['block']>>({ hash: isText, number: isNumber, index: isNumber });
const isEra = isShape<Era>({ birth: isNumber, until: isNumber });
const isOutcome = (value: unknown): value is NonNullable<SentItem['outcome']> =>
  isShape<{ kind: string }>({ kind: isText })(value) &&
  (value.kind !== 'failed' || isShape<{ text: string }>({ text: isText })(value));

export const isSent = isShape<SentItem>({
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

/** A transaction as it is stored: without its events, because the block's page has them. */
export const toStored = ({ lost: _, ...item }: SentItem): Omit<SentItem, 'lost'> => ({
  ...item,
  hex: (item.hex?.length ?? 0) > maxHex ? null : item.hex,
  args: item.args.slice(0, 1000),
  events: [],
});

/** What is known of a transaction whose block is not on the best chain any more. */
export const leaveBlock = ({ block, leftNumber }: SentItem): Pick<SentItem, 'block' | 'leftNumber'> => ({
  block: null,
  leftNumber: block === null || block.best === false ? leftNumber : block.number,
});

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
 * A stored transaction. Nobody watched it if it was in flight then, and if it was just finalized its outcome may be
 * missing: the caller searches for it on the chain.
 */
export const fromStored = (item: SentItem): SentItem => {
  const isRead = item.outcome !== null || item.steps.at(-1)?.name !== 'finalized';
  if (!item.open && isRead) return { ...item, events: [], lost: false };
  if (item.hash !== '') return lose(item, Date.now());
  const refused = 'The page or its node ended before it was signed.';
  return { ...item, refused, open: false, events: [], lost: false };
};
