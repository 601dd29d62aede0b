import { parseJson, writeJson } from '../../../src/protocol/json.ts';
import type { ParamInfo } from '../../node/client/method-info.ts';
import { fields, membersOf } from './field-kind.ts';

/** A copy of an object with one member set, or removed if `value` is undefined; undefined if none is left. */
export const withMember = (object: unknown, name: string, value: unknown): unknown => {
  const isObject = typeof object === 'object' && object !== null && !Array.isArray(object);
  const { [name]: _old, ...rest } = (isObject ? object : {}) as Readonly<Record<string, unknown>>;
  const next = value === undefined ? rest : { ...rest, [name]: value };
  return Object.keys(next).length === 0 ? undefined : next;
};

/** An argument as the text of a one-line field. */
export const argText = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : writeJson(value);

const numberText = /^(\d+|0x[\da-f]+)$/i;

/**
 * Why the form refuses an argument: a field for a number or a block has other text. The node may read such
 * text as hex, for example "abc" as block 2,748. Null if the argument is fine; what the node itself refuses
 * is not checked here.
 */
export const textFault = ({ kind }: ParamInfo, value: unknown): string | null => {
  const inner = membersOf(kind);
  if (inner.length > 0) {
    const of = (typeof value === 'object' ? value : null) as Readonly<Record<string, unknown>> | null;
    return inner.map((one) => textFault(one, of?.[one.name])).find((fault) => fault !== null) ?? null;
  }
  if (typeof value !== 'string' || kind === 'moment') return null;
  if (fields[kind] === 'number' && !numberText.test(value)) return 'Enter a whole number, or hex with 0x.';
  if (fields[kind] !== 'block' || /^0x/i.test(value)) return null;
  return /^\d+$/.test(value) ? `No block #${value} was found.` : 'Enter a block number or a hash.';
};

/**
 * Reads a one-line number field: safe integers and JSON lists become values, other text stays text, and no
 * text is undefined.
 */
export const readNumberArg = (text: string): unknown => {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  if (/^-?\d+$/.test(trimmed)) {
    const number = Number(trimmed);
    return Number.isSafeInteger(number) ? number : trimmed;
  }
  try {
    return trimmed.startsWith('[') ? parseJson(trimmed) : trimmed;
  } catch {
    return trimmed;
  }
};
