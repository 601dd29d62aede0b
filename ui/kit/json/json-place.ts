import { findNodeAtLocation, getLocation, type ParseError, parseTree } from 'jsonc-parser';
import type { JsonMark, JsonPath } from './json-mark.ts';

/** Offsets in a text; `to` is exclusive. */
type TextRange = { readonly from: number; readonly to: number };

/** Bare values separated by commas are the items of a list: with brackets around them, they are parsed as one. */
const bracketed = (text: string): { readonly whole: string; readonly added: number } =>
  /^\s*([[{]|$)/.test(text) ? { whole: text, added: 0 } : { whole: `[${text}]`, added: 1 };

/** The library calls itself for each level of a value; undefined for one that is nested too deep. */
const unlessTooDeep = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch (fault) {
    if (fault instanceof RangeError) return undefined;
    throw fault;
  }
};

/** Where a position is in a JSON text, which may be incomplete. */
export type JsonPlace = {
  /** The value at the position, or the one that would be entered there. */
  readonly path: JsonPath;
  /** Whether the position is in the name of a member, or where one would be entered. */
  readonly isName: boolean;
  /** The name, word or string that the position is in; empty ranges are at the position. */
  readonly token: TextRange;
};

export const placeAt = (text: string, at: number): JsonPlace | null => {
  const { whole, added } = bracketed(text);
  const found = unlessTooDeep(() => getLocation(whole, at + added));
  if (found === undefined) return null;
  const { path, isAtPropertyKey, previousNode: node } = found;
  const isIn = node !== undefined && node.offset < at + added && at + added <= node.offset + node.length;
  if (!isIn) {
    // A word that is not complete is no value yet.
    const word = /[\w.-]*$/.exec(text.slice(Math.max(0, at - 64), at))?.[0] ?? '';
    return { path, isName: isAtPropertyKey, token: { from: at - word.length, to: at } };
  }
  const [from, end] = [node.offset - added, node.offset + node.length - added];
  // A string without its closing quote goes on to the end of the line: what follows it is not a part of it.
  const isOpen = text[from] === '"' && (end - from < 2 || text[end - 1] !== '"');
  return { path, isName: isAtPropertyKey, token: { from, to: isOpen ? at : end } };
};

/** Names of the members that the object at a path has. */
export const namesAt = (text: string, path: JsonPath): readonly string[] => {
  const root = unlessTooDeep(() => parseTree(bracketed(text).whole));
  const node = root && findNodeAtLocation(root, [...path]);
  return node?.type === 'object' ? (node.children ?? []).map(({ children }) => children?.[0]?.value) : [];
};

/** A range of the parsed text in the text itself, of which it has at least one character. */
const clamp = (text: string, from: number, length: number): TextRange => {
  const start = Math.min(Math.max(from, 0), Math.max(text.length - 1, 0));
  return { from: start, to: Math.min(Math.max(from + length, start + 1), text.length) };
};

/** The innermost value on the mark's path that is there, the place of a syntax error, or the whole text. */
export const markRange = (text: string, { path, text: message }: JsonMark): TextRange => {
  const { whole, added } = bracketed(text);
  const errors: ParseError[] = [];
  const root = unlessTooDeep(() => parseTree(whole, errors, { disallowComments: true }));
  const [error] = errors;
  if (path === null) {
    if (error !== undefined) return clamp(text, error.offset - added, error.length);
    // Valid, but not accepted: a message about a name or a number has it.
    const word = /"[^"]+"|-?\d[-+.\de]*/i.exec(message)?.[0];
    const from = word === undefined ? -1 : text.indexOf(word);
    if (word !== undefined && from >= 0) return { from, to: from + word.length };
  }
  for (let depth = path?.length ?? 0; root !== undefined && depth > 0; depth -= 1) {
    const node = findNodeAtLocation(root, path?.slice(0, depth) ?? []);
    if (node !== undefined) return clamp(text, node.offset - added, node.length);
  }
  return { from: 0, to: text.length };
};
