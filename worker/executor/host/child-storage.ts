import type { Removal } from '../../state/overlay.ts';
import type { HostContext, HostFunction } from './context.ts';
import { decodeCursor, decodeLimit, writeRead, writeRemoval, writeRemovalCount } from './removal.ts';
import { toStateVersion } from './storage.ts';

const take = (host: HostContext, span: bigint): Uint8Array => host.memory.copy(span);

/** A host function that takes a child trie's name and a key. */
const byKey = (
  name: string,
  results: string,
  act: (host: HostContext, child: Uint8Array, key: Uint8Array) => unknown,
): HostFunction => ({
  name: `ext_default_child_storage_${name}_version_1`,
  params: 'II',
  results,
  create: (host) => (child: bigint, key: bigint) => act(host, take(host, child), take(host, key)),
});

const values: readonly HostFunction[] = [
  byKey('get', 'I', ({ memory, call }, child, key) =>
    memory.allocWriteOption(call.overlay.childGet(child, key)),
  ),
  {
    name: 'ext_default_child_storage_read_version_1',
    params: 'IIIi',
    results: 'I',
    create: (host) => (child: bigint, key: bigint, out: bigint, offset: number) =>
      writeRead(host, host.call.overlay.childGet(take(host, child), take(host, key)), out, offset),
  },
  {
    name: 'ext_default_child_storage_set_version_1',
    params: 'III',
    results: '',
    create: (host) => (child: bigint, key: bigint, value: bigint) =>
      host.call.overlay.childSet(take(host, child), take(host, key), take(host, value)),
  },
  byKey('clear', '', ({ call }, child, key) => call.overlay.childClear(child, key)),
  byKey('exists', 'i', ({ call }, child, key) => (call.overlay.childExists(child, key) ? 1 : 0)),
  byKey('next_key', 'I', ({ memory, call }, child, key) =>
    memory.allocWriteOption(call.overlay.childNextKey(child, key)),
  ),
  {
    name: 'ext_default_child_storage_root_version_1',
    params: 'I',
    results: 'I',
    create: (host) => (child: bigint) =>
      host.memory.allocWrite(host.call.overlay.childRoot(take(host, child), 0)),
  },
  {
    name: 'ext_default_child_storage_root_version_2',
    params: 'Ii',
    results: 'I',
    create: (host) => (child: bigint, version: number) =>
      host.memory.allocWrite(host.call.overlay.childRoot(take(host, child), toStateVersion(version))),
  },
];

const kills: readonly HostFunction[] = [
  {
    name: 'ext_default_child_storage_storage_kill_version_1',
    params: 'I',
    results: '',
    create: (host) => (child: bigint) => {
      host.call.overlay.childKill(take(host, child), null, null);
    },
  },
  {
    name: 'ext_default_child_storage_storage_kill_version_2',
    params: 'II',
    results: 'i',
    create: (host) => (child: bigint, limit: bigint) =>
      host.call.overlay.childKill(take(host, child), decodeLimit(host, limit), null).cursor === null ? 1 : 0,
  },
  {
    name: 'ext_default_child_storage_storage_kill_version_3',
    params: 'II',
    results: 'I',
    create: (host) => (child: bigint, limit: bigint) =>
      writeRemovalCount(host, host.call.overlay.childKill(take(host, child), decodeLimit(host, limit), null)),
  },
  {
    name: 'ext_default_child_storage_storage_kill_version_4',
    params: 'III',
    results: 'I',
    create: (host) => (child: bigint, limit: bigint, cursor: bigint) =>
      writeRemoval(
        host,
        host.call.overlay.childKill(take(host, child), decodeLimit(host, limit), decodeCursor(host, cursor)),
      ),
  },
];

const clearPrefix = (
  host: HostContext,
  child: bigint,
  prefix: bigint,
  limit: number | null,
  cursor: Uint8Array | null,
): Removal => host.call.overlay.childClearPrefix(take(host, child), take(host, prefix), limit, cursor);

const prefixes: readonly HostFunction[] = [
  {
    name: 'ext_default_child_storage_clear_prefix_version_1',
    params: 'II',
    results: '',
    create: (host) => (child: bigint, prefix: bigint) => {
      clearPrefix(host, child, prefix, null, null);
    },
  },
  {
    name: 'ext_default_child_storage_clear_prefix_version_2',
    params: 'III',
    results: 'I',
    create: (host) => (child: bigint, prefix: bigint, limit: bigint) =>
      writeRemovalCount(host, clearPrefix(host, child, prefix, decodeLimit(host, limit), null)),
  },
  {
    name: 'ext_default_child_storage_clear_prefix_version_3',
    params: 'IIII',
    results: 'I',
    create: (host) => (child: bigint, prefix: bigint, limit: bigint, cursor: bigint) =>
      writeRemoval(
        host,
        clearPrefix(host, child, prefix, decodeLimit(host, limit), decodeCursor(host, cursor)),
      ),
  },
];

/** Host functions for default child storage. */
export const childStorageFunctions: readonly HostFunction[] = [...values, ...kills, ...prefixes];
