import fc from 'fast-check';
import { concatBytes, textToBytes } from '../../../worker/bytes/bytes.ts';
import {
  childKeys,
  childNames,
  childRootKeys,
  keys,
  limits,
  listKeys,
  type Menu,
  number,
  optionalBytes,
  prefixes,
  type Step,
  span,
  stateVersions,
  step,
  stepThatFills,
  values,
} from './arbitraries.ts';
import { type Argument, bytesArgument } from './script.ts';

const key = span(keys);
const value = span(values);
const list = span(listKeys);
const limit = span(limits);
const cursor = span(optionalBytes(fc.oneof(keys, childKeys)));
const child = span(childNames);
const inChild = span(childKeys);
const childPrefix = span(childKeys.map((bytes) => bytes.subarray(0, 1)));
const rootKey = span(childRootKeys);
const prefix = span(prefixes);
const buffer = span(fc.nat({ max: 40 }).map((length) => new Uint8Array(length)));
const offset = number(fc.nat({ max: 70 }));
/** Lists whose length in front is at a limit of its encoding, too long, or not in the shortest form. */
const listValue = span(
  fc
    .tuple(fc.constantFrom(0, 4, 8, 252, 253, 254, 1, 2, 3), values)
    .map(([first, rest]) => concatBytes(Uint8Array.of(first), rest)),
);

/** A root, then a change: otherwise the SDK may take the next roots from a cache that misses changes. */
const rootStep = (name: string, ...args: readonly fc.Arbitrary<Argument>[]): fc.Arbitrary<Step> =>
  fc.tuple(step(name, ...args), fc.nat({ max: 255 })).map(([calls, byte]) => [
    ...calls,
    {
      name: 'ext_storage_set_version_1',
      args: [bytesArgument(textToBytes('changed')), bytesArgument(Uint8Array.of(byte))],
    },
  ]);

const main: Menu = [
  [8, step('ext_storage_set_version_1', key, value)],
  [6, step('ext_storage_get_version_1', key)],
  [3, stepThatFills('ext_storage_read_version_1', 1, key, buffer, offset)],
  [4, step('ext_storage_clear_version_1', key)],
  [3, step('ext_storage_exists_version_1', key)],
  [1, step('ext_storage_clear_prefix_version_1', prefix)],
  [3, step('ext_storage_clear_prefix_version_2', prefix, limit)],
  [3, step('ext_storage_clear_prefix_version_3', prefix, limit, cursor)],
  [6, step('ext_storage_append_version_1', list, value)],
  [3, step('ext_storage_get_version_1', list)],
  [2, step('ext_storage_set_version_1', list, listValue)],
  [2, rootStep('ext_storage_root_version_2', stateVersions)],
  [1, rootStep('ext_storage_root_version_1')],
  [1, step('ext_storage_changes_root_version_1', key)],
  [8, step('ext_storage_next_key_version_1', fc.oneof(key, prefix))],
  [5, step('ext_storage_start_transaction_version_1')],
  [3, step('ext_storage_rollback_transaction_version_1')],
  [3, step('ext_storage_commit_transaction_version_1')],
];

const children: Menu = [
  [5, step('ext_default_child_storage_get_version_1', child, inChild)],
  [6, step('ext_default_child_storage_set_version_1', child, inChild, value)],
  [3, step('ext_default_child_storage_clear_version_1', child, inChild)],
  [2, stepThatFills('ext_default_child_storage_read_version_1', 2, child, inChild, buffer, offset)],
  [2, step('ext_default_child_storage_exists_version_1', child, inChild)],
  [1, step('ext_default_child_storage_storage_kill_version_1', child)],
  [1, step('ext_default_child_storage_storage_kill_version_2', child, limit)],
  [2, step('ext_default_child_storage_storage_kill_version_3', child, limit)],
  [2, step('ext_default_child_storage_storage_kill_version_4', child, limit, cursor)],
  [1, step('ext_default_child_storage_clear_prefix_version_1', child, childPrefix)],
  [2, step('ext_default_child_storage_clear_prefix_version_2', child, childPrefix, limit)],
  [2, step('ext_default_child_storage_clear_prefix_version_3', child, childPrefix, limit, cursor)],
  [2, step('ext_default_child_storage_root_version_2', child, stateVersions)],
  [1, step('ext_default_child_storage_root_version_1', child)],
  [5, step('ext_default_child_storage_next_key_version_1', child, inChild)],
];

/** The main trie's own functions at the keys of the children's roots, except append (see `differences.ts`). */
const childRoots: Menu = [
  [1, step('ext_storage_next_key_version_1', rootKey)],
  [1, step('ext_storage_get_version_1', rootKey)],
  [1, step('ext_storage_exists_version_1', rootKey)],
  [1, step('ext_storage_set_version_1', rootKey, value)],
  [1, step('ext_storage_clear_version_1', rootKey)],
  [1, step('ext_storage_clear_prefix_version_2', rootKey, limit)],
];

/** Steps that read and change the state. */
export const storageSteps: Menu = [...main, ...children, ...childRoots];
