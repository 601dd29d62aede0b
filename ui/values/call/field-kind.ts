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

/** The input for each kind of parameter; those without one take JSON, or are in one of the tables below. */
export const fields: Partial<Readonly<Record<ParamKind, FieldKind>>> = {
  account: 'account',
  amount: 'number',
  blockToRun: 'block',
  bytes: 'bytes',
  bytesList: 'keys',
  hash: 'block',
  headTarget: 'number',
  height: 'number',
  moment: 'number',
  runtimeLogLevel: 'number',
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
  buildMode: ['Batch', 'Instant', 'Manual'],
  chainFormat: ['json', 'binary'],
  finalityMode: ['delayed', 'instant', 'manual', 'grandpa'],
};

/** The values that a parameter accepts, if they are a fixed set; otherwise empty. */
export const wordsOf = (kind: ParamKind): readonly (boolean | string)[] => words[kind] ?? [];

/** Chooses the input for a parameter of a method. */
export const fieldKind = (method: string, { name, kind, isSecret }: ParamInfo): FieldKind => {
  if (isSecret) return 'secret';
  if (kind in members) return 'object';
  if (kind in words) return 'choice';
  if (kind === 'bytes' && method.startsWith('state_') && keyNames.includes(name)) return 'key';
  return fields[kind] ?? 'json';
};
