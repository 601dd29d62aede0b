import { skipString } from '../../../src/protocol/json.ts';
import type { Flaw, FlawReader } from '../connection/message.ts';

// Details of a message's text that the native server depends on and that are lost when it is parsed.

const names: readonly string[] = ['"id"', '"jsonrpc"', '"method"', '"params"'];
const behindName = /[ \t\n\r]*:[ \t\n\r]*(-?\d{1,1000}[.eE]|-0)?/y;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const newline = 0x0a;
/** `[` and `{` differ in one bit, as do `]` and `}`. */
const opening = 0x5b;
const closing = 0x5d;

/** Finds the flaws of a message by its members, one after the other. */
export const createFlawReader = (text: string): FlawReader => {
  let flaw: Flaw = { id: false, call: false };
  let seen = '';
  return {
    member: (from, to) => {
      const name = text.slice(from, to);
      if (!names.includes(name)) return;
      behindName.lastIndex = to;
      const behind = behindName.exec(text);
      if (behind === null) return;
      const isTwice = seen.includes(name);
      if (name !== names[0]) flaw.call ||= isTwice;
      else if (isTwice || behind[1] !== undefined) flaw.id = true;
      // Once only: a text may repeat a name as often as it is long.
      if (!isTwice) seen += name;
    },
    end: () => {
      const found = flaw;
      flaw = { id: false, call: false };
      seen = '';
      return found;
    },
  };
};

/** For a valid JSON text: one result per message of a batch, in order, or one for a single message. */
export const flawsOf = (text: string, isBatch: boolean): readonly Flaw[] => {
  const level = isBatch ? 2 : 1;
  const reader = createFlawReader(text);
  const flaws: Flaw[] = [];
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    const bracket = sign & ~0x20;
    if (bracket === opening) depth++;
    else if (bracket === closing) depth--;
    else if (sign === comma && depth === level - 1) flaws.push(reader.end());
    else if (sign === quote) {
      const end = skipString(text, at);
      // A member name is followed by a colon, a value is not.
      if (depth === level && text.charCodeAt(end) <= colon && text.charCodeAt(end) !== comma)
        reader.member(at, end);
      at = end - 1;
    }
  }
  return [...flaws, reader.end()];
};

/**
 * Only `[]` is an empty list for the SDK's server: it looks for a value in a list that contains whitespace
 * (jsonrpsee-types, `ParamsSequence`).
 */
export const faultOfEmptyList = (text: string): string | null => {
  if (text.includes('[]')) return null;
  const spaces = /"params"\s*:\s*\[(\s+)\]/.exec(text)?.[1] ?? ' ';
  let line = 1;
  let column = 1;
  // A list of lines would take a second for a text of nothing else.
  for (let at = 0; at < spaces.length; at++)
    if (spaces.charCodeAt(at) === newline) {
      line++;
      column = 1;
    } else column++;
  return `expected value at line ${line} column ${column}`;
};
