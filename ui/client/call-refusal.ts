import { errorCodes } from '../../src/protocol/errors.ts';
import type { MethodInfo } from './method-info.ts';
import { refusalText } from './refusal-text.ts';

/** A sentence, not the name of an error or the runtime's trace. */
const sentence = /^([A-Z]\w* .{1,90}?)\.?$/;

/** Like `refusalText`, after the node's own reason; wrong arguments are named instead. */
export const callRefusalText = (
  info: MethodInfo | null,
  args: readonly unknown[],
  error: unknown,
): string => {
  const { code, message, data } = (error ?? {}) as Readonly<Record<string, unknown>>;
  const faults = (code === -32602 && info?.check(args, true)) || [];
  if (faults.length > 0) return faults.map(({ text }) => `Parameter ${text}.`).join(' ');
  const meaning = refusalText(error);
  // The data of development methods is one of the node's own codes; that of negative codes, its decoder's words.
  const words = String(data) in errorCodes ? message : Number(code) > 0 ? data : '';
  const reason = sentence.exec(String(words))?.[1] ?? '';
  return meaning && !meaning.startsWith(reason) ? `${reason}. ${meaning}` : meaning;
};
