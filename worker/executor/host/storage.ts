import { Trap } from '../trap.ts';
import { checkVariant, type HostContext, type HostFunction } from './context.ts';
import { costOf } from './costs.ts';
import { decodeCursor, decodeLimit, writeRead, writeRemoval, writeRemovalCount } from './removal.ts';

/**
 * The state version argument of a root function: a u8 that is passed as a u32. 2 means version 1, since system
 * versions 1 and 2 have the same state (sp-storage, `StateVersion`). Traps above 2.
 */
export const toStateVersion = (argument: number): 0 | 1 =>
  checkVariant(argument & 0xff, 2, 'state version') === 0 ? 0 : 1;

const getCost = /* @__PURE__ */ costOf('ext_storage_get_version_1');

const values: readonly HostFunction[] = [
  {
    name: 'ext_storage_set_version_1',
    params: 'II',
    results: '',
    create: (host) => (key: bigint, value: bigint) =>
      host.call.overlay.set(host.memory.view(key), host.memory.copy(value)),
  },
  {
    // Charges its own fuel, because a transfer makes 70 of these calls.
    name: 'ext_storage_get_version_1',
    params: 'I',
    results: 'I',
    isMetered: true,
    create: (host) => {
      const { memory, fuel } = host;
      return (span: bigint) => {
        const { overlay } = host.call;
        const steps = overlay.steps();
        const key = memory.view(span);
        const value = overlay.get(key);
        const bytes = key.length + (value === null ? 0 : value.length);
        fuel.charge(getCost.call + bytes * getCost.byte + (overlay.steps() - steps));
        return memory.allocWriteOption(value);
      };
    },
  },
  {
    name: 'ext_storage_read_version_1',
    params: 'IIi',
    results: 'I',
    create: (host) => (key: bigint, out: bigint, offset: number) =>
      writeRead(host, host.call.overlay.get(host.memory.view(key)), out, offset),
  },
  {
    name: 'ext_storage_clear_version_1',
    params: 'I',
    results: '',
    create: (host) => (key: bigint) => host.call.overlay.clear(host.memory.view(key)),
  },
  {
    name: 'ext_storage_exists_version_1',
    params: 'I',
    results: 'i',
    create: (host) => (key: bigint) => (host.call.overlay.exists(host.memory.view(key)) ? 1 : 0),
  },
  {
    name: 'ext_storage_append_version_1',
    params: 'II',
    results: '',
    create: (host) => (key: bigint, item: bigint) =>
      host.call.overlay.append(host.memory.view(key), host.memory.view(item)),
  },
  {
    name: 'ext_storage_next_key_version_1',
    params: 'I',
    results: 'I',
    create: (host) => (key: bigint) =>
      host.memory.allocWriteOption(host.call.overlay.nextKey(host.memory.copy(key))),
  },
];

const prefixes: readonly HostFunction[] = [
  {
    name: 'ext_storage_clear_prefix_version_1',
    params: 'I',
    results: '',
    create: (host) => (prefix: bigint) => {
      host.call.overlay.clearPrefix(host.memory.copy(prefix), null, null);
    },
  },
  {
    name: 'ext_storage_clear_prefix_version_2',
    params: 'II',
    results: 'I',
    create: (host) => (prefix: bigint, limit: bigint) =>
      writeRemovalCount(
        host,
        host.call.overlay.clearPrefix(host.memory.copy(prefix), decodeLimit(host, limit), null),
      ),
  },
  {
    name: 'ext_storage_clear_prefix_version_3',
    params: 'III',
    results: 'I',
    create: (host) => (prefix: bigint, limit: bigint, cursor: bigint) =>
      writeRemoval(
        host,
        host.call.overlay.clearPrefix(
          host.memory.copy(prefix),
          decodeLimit(host, limit),
          decodeCursor(host, cursor),
        ),
      ),
  },
];

const roots: readonly HostFunction[] = [
  {
    name: 'ext_storage_root_version_1',
    params: '',
    results: 'I',
    create: (host) => () => host.memory.allocWrite(host.call.overlay.root(0)),
  },
  {
    name: 'ext_storage_root_version_2',
    params: 'i',
    results: 'I',
    create: (host) => (version: number) =>
      host.memory.allocWrite(host.call.overlay.root(toStateVersion(version))),
  },
  {
    // Changes tries left Substrate in 2021: always None.
    name: 'ext_storage_changes_root_version_1',
    params: 'I',
    results: 'I',
    create: (host) => (parentHash: bigint) => {
      host.memory.view(parentHash);
      return host.memory.allocWriteOption(null);
    },
  },
  {
    // Without a recorded proof it is u64::MAX (cumulus-primitives-proof-size-hostfunction,
    // `PROOF_RECORDING_DISABLED`).
    name: 'ext_storage_proof_size_storage_proof_size_version_1',
    params: '',
    results: 'I',
    create: (host) => () => BigInt(host.call.overlay.proofSize() ?? 0xffff_ffff_ffff_ffffn),
  },
];

const closing = (host: HostContext, close: () => boolean): void => {
  if (host.call.openTransactions === 0 || !close()) throw new Trap('No storage transaction is open');
  host.call.openTransactions--;
};

const transactions: readonly HostFunction[] = [
  {
    name: 'ext_storage_start_transaction_version_1',
    params: '',
    results: '',
    create: (host) => () => {
      host.call.overlay.startTransaction();
      host.call.openTransactions++;
    },
  },
  {
    name: 'ext_storage_rollback_transaction_version_1',
    params: '',
    results: '',
    create: (host) => () => closing(host, () => host.call.overlay.rollbackTransaction()),
  },
  {
    name: 'ext_storage_commit_transaction_version_1',
    params: '',
    results: '',
    create: (host) => () => closing(host, () => host.call.overlay.commitTransaction()),
  },
];

/** Host functions for main storage. */
export const storageFunctions: readonly HostFunction[] = [...values, ...prefixes, ...roots, ...transactions];
