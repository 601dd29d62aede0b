import { Reader } from '../../bytes/reader.ts';
import { Writer } from '../../bytes/writer.ts';
import type { OffchainHost } from '../extensions.ts';
import { Trap } from '../trap.ts';
import { checkVariant, type HostContext, type HostFunction } from './context.ts';

/** The call's offchain extension; traps without one, where native nodes panic. */
export const offchainOf = (host: HostContext): OffchainHost => {
  const offchain = host.call.extensions.offchain;
  if (offchain === undefined) throw new Trap('Offchain functions are not available in this call');
  return offchain;
};

/** `Result<(), ()>`. */
export const writeUnitResult = (host: HostContext, ok: boolean): bigint =>
  host.memory.allocWrite(Uint8Array.of(ok ? 0 : 1));

/** 0 and 1, the encoding of sp_core::offchain::StorageKind. Some documents incorrectly say 1 and 2. */
const storageKind = (kind: number): number => checkVariant(kind, 1, 'kind of offchain storage');

const general: readonly HostFunction[] = [
  {
    name: 'ext_offchain_is_validator_version_1',
    params: '',
    results: 'i',
    create: (host) => () => (offchainOf(host).isValidator() ? 1 : 0),
  },
  {
    name: 'ext_offchain_submit_transaction_version_1',
    params: 'I',
    results: 'I',
    create: (host) => (extrinsic: bigint) =>
      writeUnitResult(host, offchainOf(host).submitTransaction(host.memory.copy(extrinsic))),
  },
  {
    name: 'ext_offchain_network_state_version_1',
    params: '',
    results: 'I',
    create: (host) => () => {
      const state = offchainOf(host).networkState();
      if (state === null) return writeUnitResult(host, false);
      const out = new Writer().u8(0).vecBytes(state.peerId);
      return host.memory.allocWrite(
        out.vec(state.addresses, (writer, address) => writer.vecBytes(address)).finish(),
      );
    },
  },
  {
    name: 'ext_offchain_timestamp_version_1',
    params: '',
    results: 'I',
    create: (host) => () => offchainOf(host).timestampMs(),
  },
  {
    name: 'ext_offchain_sleep_until_version_1',
    params: 'I',
    results: '',
    create: (host) => (deadline: bigint) => offchainOf(host).sleepUntilMs(BigInt.asUintN(64, deadline)),
  },
  {
    name: 'ext_offchain_random_seed_version_1',
    params: '',
    results: 'i',
    create: (host) => () => host.memory.allocWritePointer(offchainOf(host).randomSeed()),
  },
  {
    name: 'ext_offchain_set_authorized_nodes_version_1',
    params: 'Ii',
    results: '',
    create: (host) => (nodes: bigint, only: number) => {
      const peers = new Reader(host.memory.copy(nodes)).vec((reader) => reader.vecBytes());
      offchainOf(host).setAuthorizedNodes(peers, only === 1);
    },
  },
];

const localStorage: readonly HostFunction[] = [
  {
    name: 'ext_offchain_local_storage_set_version_1',
    params: 'iII',
    results: '',
    create: (host) => (kind: number, key: bigint, value: bigint) =>
      offchainOf(host).localStorageSet(storageKind(kind), host.memory.copy(key), host.memory.copy(value)),
  },
  {
    name: 'ext_offchain_local_storage_clear_version_1',
    params: 'iI',
    results: '',
    create: (host) => (kind: number, key: bigint) =>
      offchainOf(host).localStorageClear(storageKind(kind), host.memory.copy(key)),
  },
  {
    name: 'ext_offchain_local_storage_compare_and_set_version_1',
    params: 'iIII',
    results: 'i',
    create: (host) => (kind: number, key: bigint, old: bigint, value: bigint) => {
      const expected = new Reader(host.memory.copy(old)).option((reader) => reader.vecBytes());
      const name = host.memory.copy(key);
      const next = host.memory.copy(value);
      return offchainOf(host).localStorageCompareAndSet(storageKind(kind), name, expected, next) ? 1 : 0;
    },
  },
  {
    name: 'ext_offchain_local_storage_get_version_1',
    params: 'iI',
    results: 'I',
    create: (host) => (kind: number, key: bigint) =>
      host.memory.allocWriteOption(
        offchainOf(host).localStorageGet(storageKind(kind), host.memory.copy(key)),
      ),
  },
];

/** Written to the offchain database when the block is imported. Needs no extension. */
const indexing: readonly HostFunction[] = [
  {
    name: 'ext_offchain_index_set_version_1',
    params: 'II',
    results: '',
    create: (host) => (key: bigint, value: bigint) =>
      host.call.overlay.offchainIndexSet(host.memory.copy(key), host.memory.copy(value)),
  },
  {
    name: 'ext_offchain_index_clear_version_1',
    params: 'I',
    results: '',
    create: (host) => (key: bigint) => host.call.overlay.offchainIndexClear(host.memory.copy(key)),
  },
];

/** Offchain host functions, except HTTP. */
export const offchainFunctions: readonly HostFunction[] = [...general, ...localStorage, ...indexing];
