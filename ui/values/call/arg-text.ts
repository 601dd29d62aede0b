import { parseJson, writeJson } from '../../../src/protocol/json.ts';
import type { ParamKind } from '../../../src/protocol/rpc/define.ts';
import type { ParamInfo } from '../../node/client/method-info.ts';

/** The kinds of input for a parameter. */
type FieldKind =
  | 'account'
  | 'block'
  | 'bytes'
  | 'choice'
  | 'json'
  | 'key'
  | 'keys'
  | 'number'
  | 'object'
  | 'seal'
  | 'secret'
  | 'text';

const fields: Partial<Readonly<Record<ParamKind, FieldKind>>> = {
  account: 'account',
  amount: 'number',
  bytes: 'bytes',
  bytesList: 'keys',
  hash: 'block',
  headTarget: 'number',
  height: 'number',
  moment: 'number',
  sealMode: 'seal',
  text: 'text',
  u32: 'number',
};

const keyNames: readonly string[] = ['key', 'keys', 'prefix', 'start_key'];

const member = (name: string, kind: ParamKind, optional = true): ParamInfo => ({ name, kind, optional });

const limits = [
  member('value', 'amount', false),
  member('gasLimit', 'amount'),
  member('storageDepositLimit', 'amount'),
];

const members: Partial<Readonly<Record<ParamKind, readonly ParamInfo[]>>> = {
  newBlock: [
    member('count', 'u32'),
    member('to', 'u32'),
    member('parent', 'hash'),
    member('transactions', 'bytesList'),
    member('finalize', 'boolean'),
  ],
  contractCall: [
    member('origin', 'account', false),
    member('dest', 'account', false),
    ...limits,
    member('inputData', 'bytes', false),
  ],
  contractInstantiation: [
    member('origin', 'account', false),
    ...limits,
    member('code', 'bytes', false),
    member('data', 'bytes', false),
    member('salt', 'bytes'),
  ],
  contractUpload: [
    member('origin', 'account', false),
    member('code', 'bytes', false),
    member('storageDepositLimit', 'amount'),
  ],
};

/** The members of an object parameter, described like parameters; empty for other kinds. */
export const membersOf = (kind: ParamKind): readonly ParamInfo[] => members[kind] ?? [];

const words: Partial<Readonly<Record<ParamKind, readonly (boolean | string)[]>>> = {
  boolean: [true, false],
  chainFormat: ['json', 'binary'],
  finalityMode: ['delayed', 'instant', 'manual', 'grandpa'],
};

/** The values that a parameter accepts, if they are a fixed set; otherwise empty. */
export const wordsOf = (kind: ParamKind): readonly (boolean | string)[] => words[kind] ?? [];

/** A copy of an object with one member set, or removed if `value` is undefined; undefined if none is left. */
export const withMember = (object: unknown, name: string, value: unknown): unknown => {
  const isObject = typeof object === 'object' && object !== null && !Array.isArray(object);
  const { [name]: _old, ...rest } = (isObject ? object : {}) as Readonly<Record<string, unknown>>;
  const next = value === undefined ? rest : { ...rest, [name]: value };
  return Object.keys(next).length === 0 ? undefined : next;
};

/** Chooses the input for a parameter of a method. */
export const fieldKind = (method: string, { name, kind, isSecret }: ParamInfo): FieldKind => {
  if (isSecret) return 'secret';
  if (kind in members) return 'object';
  if (kind in words) return 'choice';
  if (kind === 'bytes' && method.startsWith('state_') && keyNames.includes(name)) return 'key';
  return fields[kind] ?? 'json';
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
  const inner = members[kind];
  if (inner !== undefined) {
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
