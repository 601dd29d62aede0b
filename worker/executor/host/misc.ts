import { bytesToHex } from '../../bytes/hex.ts';
import { checkVariant, type HostContext, type HostFunction, takeText } from './context.ts';
import { costOf } from './costs.ts';
import { tracingFunctions } from './tracing.ts';

/**
 * How many bytes of a text are read for the log, which truncates it further. Truncating a string keeps the
 * whole one in memory.
 */
const logged = 65_536;

const debug = (host: HostContext, message: string): void => {
  host.call.log.add({ level: 3, target: 'runtime', message });
};

const misc: readonly HostFunction[] = [
  {
    name: 'ext_misc_print_num_version_1',
    params: 'I',
    results: '',
    create: (host) => (value: bigint) => debug(host, BigInt.asUintN(64, value).toString()),
  },
  {
    name: 'ext_misc_print_utf8_version_1',
    params: 'I',
    results: '',
    create: (host) => (text: bigint) => debug(host, host.memory.text(text, logged)),
  },
  {
    name: 'ext_misc_print_hex_version_1',
    params: 'I',
    results: '',
    create: (host) => (data: bigint) => debug(host, bytesToHex(host.memory.view(data).subarray(0, logged))),
  },
  {
    name: 'ext_misc_runtime_version_version_1',
    params: 'I',
    results: 'I',
    create: (host) => (code: bigint) => host.memory.allocWriteOption(host.versionOf(host.memory.copy(code))),
  },
];

/** `free` costs nothing: it traps unless the memory was allocated before, and `malloc` has paid for both. */
const allocatorCost = /* @__PURE__ */ costOf('ext_allocator_malloc_version_1').call;

const allocator: readonly HostFunction[] = [
  {
    name: 'ext_allocator_malloc_version_1',
    params: 'i',
    results: 'i',
    isMetered: true,
    create: ({ memory, fuel }) => {
      const { malloc, metered } = memory.allocator;
      if (metered !== null) return metered;
      return (size: number) => {
        fuel.charge(allocatorCost);
        return malloc(size);
      };
    },
  },
  {
    name: 'ext_allocator_free_version_1',
    params: 'i',
    results: '',
    isMetered: true,
    create: ({ memory }) => memory.allocator.free,
  },
];

const logging: readonly HostFunction[] = [
  {
    name: 'ext_logging_log_version_1',
    params: 'iII',
    results: '',
    create: (host) => (level: number, target: bigint, message: bigint) => {
      host.call.log.add({
        // A u8 that is passed as a u32: 0 for errors to 4 for traces.
        level: checkVariant(level & 0xff, 4, 'log level'),
        target: takeText(host, target, logged),
        message: host.memory.text(message, logged),
      });
    },
  },
  {
    name: 'ext_logging_max_level_version_1',
    params: '',
    results: 'i',
    create: (host) => host.maxLogLevel,
  },
  {
    // The runtime traps by itself when this returns; the trap is then reported with this message.
    name: 'ext_panic_handler_abort_on_panic_version_1',
    params: 'I',
    results: '',
    create: (host) => (message: bigint) => {
      host.call.panic = takeText(host, message);
    },
  },
];

/** Without transaction storage, both do nothing, as in a node that does not index. */
const transactionIndex: readonly HostFunction[] = [
  {
    name: 'ext_transaction_index_index_version_1',
    params: 'iii',
    results: '',
    create: (host) => (_extrinsic: number, _size: number, hash: number) => {
      host.memory.fixed(hash, 32);
    },
  },
  {
    name: 'ext_transaction_index_renew_version_1',
    params: 'ii',
    results: '',
    create: (host) => (_extrinsic: number, hash: number) => {
      host.memory.fixed(hash, 32);
    },
  },
];

/** Host functions for logging, allocation, panics, tracing, the transaction index and the rest. */
export const miscFunctions: readonly HostFunction[] = [
  ...misc,
  ...allocator,
  ...logging,
  ...tracingFunctions,
  ...transactionIndex,
];
