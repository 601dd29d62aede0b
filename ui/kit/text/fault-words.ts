import { explainedText, faultText, isTrap, rawFault, trapText } from './format.ts';

const longestLine = 200;
const longestText = 320;

/** An error for a reader: what to say, and the whole text behind it; null if there is no more in that. */
export type FaultWords = { readonly text: string; readonly details: string | null };

/** Whether a text takes more than a few lines of the page. */
export const isLong = (text: string): boolean => text.length > longestText || text.split('\n').length > 4;

/** Splits an error into one sentence and its details. `doing`, for a trap: "while sealing the block". */
export const faultWords = (fault: unknown, doing = ''): FaultWords => {
  const raw = rawFault(fault);
  if (explainedText(fault) === undefined && isTrap(fault))
    return { text: trapText(fault, doing), details: raw };
  const text = faultText(fault);
  if (text.length <= longestLine && !text.includes('\n') && !isLong(raw)) return { text, details: null };
  const [line = ''] = text.trim().split('\n', 1);
  return { text: line.length > longestLine ? `${line.slice(0, longestLine)}…` : line, details: raw };
};
