import { textToBytes } from '../../../worker/bytes/bytes.ts';
import { bytesArgument, type Call, fromLast, numberArgument } from './script.ts';

const text = (value: string) => bytesArgument(textToBytes(value));
const repeat = (count: number, calls: (index: number) => readonly Call[]): Call[] =>
  Array.from({ length: count }, (_, index) => calls(index)).flat();
const malloc = (size: number): Call => ({
  name: 'ext_allocator_malloc_version_1',
  args: [numberArgument(size)],
});
const free: Call = { name: 'ext_allocator_free_version_1', args: [fromLast()] };
const bare = (name: string): Call => ({ name, args: [] });

/** Lists that reach limits which random ones do not, by what they do. */
export const longLists: readonly (readonly [name: string, calls: readonly Call[]])[] = [
  ['allocates 32 MiB until the heap is full', repeat(8, () => [malloc(2 ** 25)])],
  ['allocates 32 MiB again and again, each time freed before', repeat(40, () => [malloc(2 ** 25), free])],
  ['allocates one byte more than the largest size', [malloc(2 ** 25), malloc(2 ** 25 + 1)]],
  [
    'allocates each size in both directions',
    repeat(26, (i) => [malloc(2 ** i), free, malloc(2 ** (25 - i) + 1)]),
  ],
  ['frees the same address twice', [malloc(10), free, { ...free, args: [fromLast()] }]],
  [
    'opens 100 transactions inside each other',
    [
      ...repeat(100, (i) => [
        bare('ext_storage_start_transaction_version_1'),
        { name: 'ext_storage_set_version_1', args: [text('deep'), text(`${i}`)] },
        { name: 'ext_storage_append_version_1', args: [text('list'), text(`${i}`)] },
      ]),
      ...repeat(100, (i) => [
        { name: 'ext_storage_get_version_1', args: [text('deep')] },
        { name: 'ext_storage_get_version_1', args: [text('list')] },
        bare(`ext_storage_${i % 3 === 0 ? 'commit' : 'rollback'}_transaction_version_1`),
      ]),
      { name: 'ext_storage_root_version_2', args: [numberArgument(1)] },
    ],
  ],
  ['leaves transactions open', repeat(3, () => [bare('ext_storage_start_transaction_version_1')])],
  [
    'appends 5,000 items to a list',
    repeat(5000, (i) => [{ name: 'ext_storage_append_version_1', args: [text('list'), text(`${i}`)] }]),
  ],
];
