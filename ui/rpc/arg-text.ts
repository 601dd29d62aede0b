import { parseJson, writeJson } from '../../src/protocol/json.ts';
import type { ParamInfo } from '../state/method-info.ts';

/** The input that fits a parameter. */
export type FieldKind =
  | 'account'
  | 'block'
  | 'boolean'
  | 'bytes'
  | 'choice'
  | 'json'
  | 'key'
  | 'keys'
  | 'number'
  | 'seal'
  | 'text';

const keyNames: readonly string[] = ['key', 'keys', 'prefix', 'start_key'];

/** Chooses the input for a parameter of a method. */
export const fieldKind = (method: string, { name, kind }: ParamInfo): FieldKind => {
  const isKey = method.startsWith('state_') && keyNames.includes(name);
  switch (kind) {
    case 'account':
      return 'account';
    case 'boolean':
      return 'boolean';
    case 'hash':
      return 'block';
    case 'bytes':
      return isKey ? 'key' : 'bytes';
    case 'bytesList':
      return 'keys';
    case 'chainFormat':
      return 'choice';
    case 'sealMode':
      return 'seal';
    case 'amount':
    case 'headTarget':
    case 'height':
    case 'moment':
    case 'u32':
      return 'number';
    case 'text':
      return 'text';
    default:
      return 'json';
  }
};

/** An argument as the text of a one-line field. */
export const argText = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : writeJson(value);

/** What a one-line field for numbers means: whole numbers, lists, and any other text as it is. Nothing for no text. */
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
