import type { Flaw } from '../message.ts';

// Details of a message's text that the native server depends on and that are lost when it is parsed.

const names: readonly string[] = ['"id"', '"jsonrpc"', '"method"', '"params"'];
const behindName = /[ \t\n\r]*:[ \t\n\r]*(-?\d+[.eE]|-0)?/y;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
/** `[` and `{` differ in one bit, as do `]` and `}`. */
const opening = 0x5b;
const closing = 0x5d;

/** The index after the string that starts at `from`. */
const stringEnd = (text: string, from: number): number => {
  for (let at = from; ; ) {
    at = text.indexOf('"', at + 1);
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
};

/** For a valid JSON text: one result per message of a batch, in order, or one for a single message. */
export const flawsOf = (text: string, isBatch: boolean): readonly Flaw[] => {
  const level = isBatch ? 2 : 1;
  const flaws: Flaw[] = [];
  let flaw: Flaw = { id: false, call: false };
  let seen = '';
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    const bracket = sign & ~0x20;
    if (bracket === opening) depth++;
    else if (bracket === closing) depth--;
    else if (sign === comma && depth === level - 1) {
      flaws.push(flaw);
      flaw = { id: false, call: false };
      seen = '';
    } else if (sign === quote) {
      const end = stringEnd(text, at);
      // A member name is followed by a colon, a value is not.
      if (depth === level && text.charCodeAt(end) <= colon && text.charCodeAt(end) !== comma) {
        behindName.lastIndex = end;
        const name = text.slice(at, end);
        const behind = names.includes(name) ? behindName.exec(text) : null;
        if (behind !== null) {
          const isTwice = seen.includes(name);
          if (name !== names[0]) flaw.call ||= isTwice;
          else if (isTwice || behind[1] !== undefined) flaw.id = true;
          seen += name;
        }
      }
      at = end - 1;
    }
  }
  return [...flaws, flaw];
};

/**
 * Only `[]` is an empty list for the SDK's server: it looks for a value in a list that contains whitespace
 * (jsonrpsee-types, `ParamsSequence`).
 */
export const faultOfEmptyList = (text: string): string | null => {
  if (text.includes('[]')) return null;
  const lines = (/"params"\s*:\s*\[(\s+)\]/.exec(text)?.[1] ?? ' ').split('\n');
  return `expected value at line ${lines.length} column ${(lines.at(-1) ?? '').length + 1}`;
};
