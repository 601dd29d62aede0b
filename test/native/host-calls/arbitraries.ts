import fc from 'fast-check';
import { textToBytes } from '../../../worker/bytes/bytes.ts';
import { Writer } from '../../../worker/bytes/writer.ts';
import { childKey, childTries, lists, stateKeys, valueLengths } from './chain.ts';
import { type Argument, bytesArgument, type Call, numberArgument } from './script.ts';

/** Calls that belong together, such as a read and the buffer it filled. A failure is reduced step by step. */
export type Step = readonly Call[];
/** Steps with their weights: how often one is drawn, compared with the others. */
export type Menu = readonly (readonly [weight: number, step: fc.Arbitrary<Step>])[];

export const span = (bytes: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Argument> => bytes.map(bytesArgument);
export const number = (value: fc.Arbitrary<number | bigint>): fc.Arbitrary<Argument> =>
  value.map(numberArgument);

/** A step of one call. */
export const step = (name: string, ...args: readonly fc.Arbitrary<Argument>[]): fc.Arbitrary<Step> =>
  fc.tuple(...args).map((drawn) => [{ name, args: drawn }]);

/** The step, and then what it has left in the buffer. */
export const stepThatFills = (
  name: string,
  buffer: number,
  ...args: readonly fc.Arbitrary<Argument>[]
): fc.Arbitrary<Step> =>
  fc.tuple(...args).map((drawn) => [
    { name, args: drawn },
    { name: 'show', args: [drawn[buffer] as Argument] },
  ]);

const text = (...texts: readonly string[]): fc.Arbitrary<Uint8Array> =>
  fc.constantFrom(...texts.map(textToBytes));
const short = fc.uint8Array({ maxLength: 3 });

export const listKeys = text(...Object.keys(lists), 'listNew');
export const keys = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...stateKeys) },
  { weight: 2, arbitrary: text('n1', 'n2', 'nn', 'q', '') },
  { weight: 1, arbitrary: listKeys },
  { weight: 1, arbitrary: short },
);
export const prefixes = fc.tuple(keys, fc.nat({ max: 4 })).map(([key, length]) => key.subarray(0, length));
/** Keys of the main trie at which child tries have their roots. */
export const childRootKeys = text(
  ...[':child_storage:default:', ':child_storage:default:c1', ':child_storage:default:new'],
  ...[':child_storage:other', ':child_storage:', ':child_storage', ':child', ':'],
);

/** Values are runs of one byte, so that they stay readable in a report. */
export const values = fc
  .tuple(fc.constantFrom(...valueLengths, 200), fc.nat({ max: 255 }))
  .map(([length, byte]) => new Uint8Array(length).fill(byte));

export const childNames = text(...Object.keys(childTries), 'new', 'c', ':child_storage:default:c1');
export const childKeys = fc.oneof(
  { weight: 6, arbitrary: fc.nat({ max: 21 }).map(childKey) },
  { weight: 1, arbitrary: short },
);

export const stateVersions = number(fc.nat({ max: 1 }));
const option = <T>(
  value: fc.Arbitrary<T>,
  write: (writer: Writer, value: T) => void,
): fc.Arbitrary<Uint8Array> =>
  fc.option(value, { freq: 3 }).map((drawn) => new Writer().option(drawn, write).finish());
export const limits = option(fc.nat({ max: 8 }), (writer, limit) => writer.u32(limit));
export const optionalBytes = (bytes: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> =>
  option(bytes, (writer, value) => writer.vecBytes(value));
/** Any span of up to so many bytes, in another order than a fill: for hashes and messages. */
export const messages = fc
  .tuple(fc.nat({ max: 300 }), fc.nat({ max: 255 }))
  .map(([length, byte]) => Uint8Array.from({ length }, (_, i) => (i * byte + (i >> 3)) & 255));
