import { NodeError } from '../../src/protocol/errors.ts';
import type { Reader } from '../bytes/reader.ts';

/** A DispatchError as JSON: a name, or an object with one member. */
export type DispatchErrorJson = string | Record<string, unknown>;

const names = [
  'Other',
  'CannotLookup',
  'BadOrigin',
  'Module',
  'ConsumerRemaining',
  'NoProviders',
  'TooManyConsumers',
  'Token',
  'Arithmetic',
  'Transactional',
  'Exhausted',
  'Corruption',
  'Unavailable',
  'RootNotAllowed',
  'Trie',
] as const;

const tokens = [
  'FundsUnavailable',
  'OnlyProvider',
  'BelowMinimum',
  'CannotCreate',
  'UnknownAsset',
  'Frozen',
  'Unsupported',
  'CannotCreateHold',
  'NotExpendable',
  'Blocked',
];
const arithmetic = ['Underflow', 'Overflow', 'DivisionByZero'];
const transactional = ['LimitReached', 'NoLayer'];
const trie = [
  'InvalidStateRoot',
  'IncompleteDatabase',
  'ValueAtIncompleteKey',
  'DecoderError',
  'InvalidHash',
  'DuplicateKey',
  'ExtraneousNode',
  'ExtraneousValue',
  'ExtraneousHashReference',
  'InvalidChildReference',
  'ValueMismatch',
  'IncompleteProof',
  'RootMismatch',
  'DecodeError',
];

const nested: Readonly<Record<string, readonly string[]>> = {
  Token: tokens,
  Arithmetic: arithmetic,
  Transactional: transactional,
  Trie: trie,
};

const variant = (reader: Reader, list: readonly string[]): string => {
  const name = list[reader.u8()];
  if (name === undefined) throw new NodeError('BadScale', 'Unknown variant of DispatchError');
  return name;
};

/** Decodes sp-runtime's SCALE DispatchError to the form of its serde implementation. Throws `BadScale`. */
export const readDispatchError = (reader: Reader): DispatchErrorJson => {
  const name = variant(reader, names);
  if (name === 'Module') return { Module: { index: reader.u8(), error: [...reader.take(4)] } };
  const list = nested[name];
  return list === undefined ? name : { [name]: variant(reader, list) };
};
