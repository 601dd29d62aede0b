import type { HostContext, HostFunction } from './context.ts';
import { decodeCursor, decodeLimit, encodeRemoval, encodeRemovalCount, giveRead } from './removal.ts';
import { toStateVersion } from './storage.ts';

const take = (host: HostContext, span: bigint): Uint8Array => host.memory.take(span);

const values: readonly HostFunction[] = [
  {
    name: 'ext_default_child_storage_get_version_1',
    params: 'II',
    results: 'I',
    create: (host) => (child: bigint, key: bigint) =>
      host.memory.giveOption(host.call.overlay.childGet(take(host, child), take(host, key))),
  },
  {
    name: 'ext_default_child_storage_read_version_1',
    params: 'IIIi',
    results: 'I',
    create: (host) => (child: bigint, key: bigint, out: bigint, offset: number) =>
      giveRead(host, host.call.overlay.childGet(take(host, child), take(host, key)), out, offset),
  },
  {
    name: 'ext_default_child_storage_set_version_1',
    params: 'III',
    results: '',
    create: (host) => (child: bigint, key: bigint, value: bigint) =>
      host.call.overlay.childSet(take(host, child), take(host, key), take(host, value)),
  },
  {
    name: 'ext_default_child_storage_clear_version_1',
    params: 'II',
    results: '',
    create: (host) => (child: bigint, key: bigint) =>
      host.call.overlay.childClear(take(host, child), take(host, key)),
  },
  {
    name: 'ext_default_child_storage_exists_version_1',
    params: 'II',
    results: 'i',
    create: (host) => (child: bigint, key: bigint) =>
      host.call.overlay.childExists(take(host, child), take(host, key)) ? 1 : 0,
  },
  {
    name: 'ext_default_child_storage_next_key_version_1',
    params: 'II',
    results: 'I',
    create: (host) => (child: bigint, key: bigint) =>
      host.memory.giveOption(host.call.overlay.childNextKey(take(host, child), take(host, key))),
  },
  {
    name: 'ext_default_child_storage_root_version_1',
    params: 'I',
    results: 'I',
    create: (host) => (child: bigint) => host.memory.give(host.call.overlay.childRoot(take(host, child), 0)),
  },
  {
    name: 'ext_default_child_storage_root_version_2',
    params: 'Ii',
    results: 'I',
    create: (host) => (child: bigint, version: number) =>
      host.memory.give(host.call.overlay.childRoot(take(host, child), toStateVersion(version))),
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
      host.memory.give(
        encodeRemovalCount(host.call.overlay.childKill(take(host, child), decodeLimit(host, limit), null)),
      ),
  },
  {
    name: 'ext_default_child_storage_storage_kill_version_4',
    params: 'III',
    results: 'I',
    create: (host) => (child: bigint, limit: bigint, cursor: bigint) =>
      host.memory.give(
        encodeRemoval(
          host.call.overlay.childKill(
            take(host, child),
            decodeLimit(host, limit),
            decodeCursor(host, cursor),
          ),
        ),
      ),
  },
];

const prefixes: readonly HostFunction[] = [
  {
    name: 'ext_default_child_storage_clear_prefix_version_1',
    params: 'II',
    results: '',
    create: (host) => (child: bigint, prefix: bigint) => {
      host.call.overlay.childClearPrefix(take(host, child), take(host, prefix), null, null);
    },
  },
  {
    name: 'ext_default_child_storage_clear_prefix_version_2',
    params: 'III',
    results: 'I',
    create: (host) => (child: bigint, prefix: bigint, limit: bigint) =>
      host.memory.give(
        encodeRemovalCount(
          host.call.overlay.childClearPrefix(
            take(host, child),
            take(host, prefix),
            decodeLimit(host, limit),
            null,
          ),
        ),
      ),
  },
  {
    name: 'ext_default_child_storage_clear_prefix_version_3',
    params: 'IIII',
    results: 'I',
    create: (host) => (child: bigint, prefix: bigint, limit: bigint, cursor: bigint) =>
      host.memory.give(
        encodeRemoval(
          host.call.overlay.childClearPrefix(
            take(host, child),
            take(host, prefix),
            decodeLimit(host, limit),
            decodeCursor(host, cursor),
          ),
        ),
      ),
  },
];

/** Default child storage (HOST.md §1.5). */
export const childStorageFunctions: readonly HostFunction[] = [...values, ...kills, ...prefixes];
