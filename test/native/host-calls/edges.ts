import fc from 'fast-check';
import { hostFunctions } from '../../../worker/executor/host/index.ts';
import type { Step } from './arbitraries.ts';
import { importedRows } from './chain.ts';
import { callingCalls } from './differences.ts';
import { type Argument, bytesArgument, type Call, fromEnd, numberArgument } from './script.ts';

/** Addresses and numbers at their limits. */
const numbers: readonly Argument[] = [
  ...[0, 1, 2, 3, 5, 7, 9, 255, 256, 257, 65_536, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1].map(numberArgument),
  ...[0, -1, -4, -31, -32, -33, -63, -64, -65, 1].map((offset) => fromEnd(offset)),
];
const spanOf = (address: number, length: number): Argument =>
  numberArgument(BigInt(address) | (BigInt(length) << 32n));
const top = 2 ** 32 - 1;
/** Spans at the limits of the memory, empty ones anywhere, and bytes that are no SCALE, no UTF-8, or too many. */
const spans: readonly Argument[] = [
  ...[spanOf(0, 0), spanOf(top, 0), spanOf(0, 1), spanOf(0, 64), spanOf(1, 4), spanOf(top, 1)],
  ...[spanOf(top, top), spanOf(0, top), spanOf(1, top), spanOf(2 ** 31, 2 ** 31)],
  ...[
    fromEnd(0, 0),
    fromEnd(0, 1),
    fromEnd(-1, 1),
    fromEnd(-1, 2),
    fromEnd(-4, 4),
    fromEnd(-4, 5),
    fromEnd(1, 0),
  ],
  ...[
    [],
    [0],
    [1],
    [2],
    [255],
    [1, 0],
    [1, 4],
    [1, 255, 255, 255, 255],
    [1, 0, 0, 0, 0],
    [1, 0, 0, 0, 0, 9],
  ].map((bytes) => bytesArgument(Uint8Array.from(bytes))),
  ...[
    [3, 255, 255, 255, 255],
    [254, 255, 255, 255],
    [0xc3, 0x28],
    [4, 0, 0],
    [0, 9],
    [3, 1, 0, 0, 0],
  ].map((bytes) => bytesArgument(Uint8Array.from(bytes))),
  bytesArgument(new Uint8Array(5000).fill(0x61)),
];

/** Arguments that a function takes, by the type of the parameter: 65 zero bytes, or none. */
const plain = (type: string, at: number): Argument =>
  type === 'i' ? bytesArgument(new Uint8Array(65).fill(at)) : bytesArgument(Uint8Array.of(0));

const rows = importedRows.filter(({ params }) => params.length > 0);

/**
 * A call with one argument at a limit. The others are pointers to zeros and empty spans, or also at a limit.
 * Most of these trap, so one ends a sequence.
 */
export const edgeCalls: fc.Arbitrary<Call> = fc
  .tuple(fc.constantFrom(...rows), fc.nat({ max: 4 }), fc.infiniteStream(fc.nat({ max: 1000 })))
  .map(([{ name, params }, which, stream]) => {
    const draw = (): number => stream.next().value as number;
    const args = [...params].map((type, at) => {
      const edges = type === 'i' ? numbers : spans;
      const isEdge = at === which % params.length || draw() < 150;
      return isEdge ? (edges[draw() % edges.length] as Argument) : plain(type, at);
    });
    return { name, args };
  });

/** Every argument of every function at every limit, one at a time. */
export const edgeSweep = (): Call[] =>
  rows.flatMap(({ name, params }) =>
    [...params].flatMap((type, at) =>
      (type === 'i' ? numbers : spans).map((edge) => ({
        name,
        args: [...params].map((other, position) => (position === at ? edge : plain(other, position))),
      })),
    ),
  );

/** One call of each function, of those that nodes do not offer in another runtime. */
export const oneOfEach = (): Call[] => [
  ...importedRows.map(({ name, params }) => ({ name, args: [...params].map(plain) })),
  ...callingCalls.values(),
];

/** Calls that a runtime may not make, or not in this order. */
export const wrongSteps: fc.Arbitrary<Step> = fc.constantFrom(
  ...[
    ['ext_storage_rollback_transaction_version_1'],
    ['ext_storage_commit_transaction_version_1'],
    ['ext_crypto_start_batch_verify_version_1', 'ext_crypto_start_batch_verify_version_1'],
    ['ext_crypto_finish_batch_verify_version_1'],
    ...[...hostFunctions.keys()].filter((name) => /^ext_offchain_(?!index)/.test(name)).map((name) => [name]),
    ['ext_panic_handler_abort_on_panic_version_1'],
  ].map((names): Step => names.map((name) => ({ name, args: [] }))),
);
