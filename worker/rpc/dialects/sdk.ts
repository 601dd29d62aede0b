import { readMembers, refuse } from '../../../src/protocol/rpc/decoder-text.ts';
import type { SealResult } from '../../author/author.ts';
import { textToBytes } from '../../bytes/bytes.ts';
import { findDigest } from '../../codec/digest.ts';
import type { Id } from '../connection/message.ts';
import { readAddress, shortHash, toNumber } from '../convert.ts';
import { deniedUnsafe, invalidParams, RpcError, type RpcErrorData } from '../errors.ts';
import { lowPriority, overLimit } from '../methods/author/submit-errors.ts';
import type { RpcDialect } from './dialect.ts';

const maxId = 0xffff_ffff_ffff_ffffn;

/** An unsigned 64-bit integer. */
const isId = (value: unknown): value is Id => {
  if (value === null || typeof value === 'string') return true;
  if (typeof value !== 'bigint' && !Number.isInteger(value)) return false;
  return (value as number | bigint) >= 0 && (value as number | bigint) <= maxId;
};

/** Methods for which the SDK's error does not use the state namespace's number (fixtures: denied.jsonl). */
const deniedByName: Readonly<Record<string, RpcErrorData>> = {
  state_callRecorded: { code: 4005, message: 'Recorded runtime calls are unsafe and disabled on this node' },
  state_trieMigrationStatus: deniedUnsafe,
};

const missing = (why: string): RpcError => {
  const { code, message, data } = invalidParams(why);
  return new RpcError(code, message, data);
};

/** BABE finds no weight for such a parent; otherwise the client refuses the block. */
const belowFinalized = ({ refused }: Extract<SealResult, { ok: false }>): string => {
  const ofBabe = refused !== undefined && findDigest(refused.header.digest, 'preRuntime', 'BABE') !== null;
  return ofBabe && refused.header.number > 1
    ? `Parent block of ${shortHash(refused.hash)} has no associated weight`
    : 'Potential long-range attack: block not in finalized chain.';
};

/** The dialect of a native node of polkadot-sdk, as recorded in fixtures/sdk-node. */
export const sdk: RpcDialect = {
  name: 'polkadot-sdk',

  isId,
  readParam: (param, value) => {
    const refused = param.refusedBySdk?.(value) ?? null;
    return refused === null ? param.read(value) : refuse(refused);
  },
  absent: 'No more params',
  refusalOf: (_name, why) => why,
  // The decoder stops at the first invalid member in text order.
  readNamed: (entry, given, nameOf, read) => {
    const params = Object.entries(entry.params);
    const parsers = params.map(
      ([name, param]) => [name, (value: unknown) => read(param, value, name)] as const,
    );
    const isOptional = (name: string): boolean => entry.params[name]?.isOptional === true;
    const found = readMembers(given, Object.fromEntries(parsers), nameOf, isOptional);
    return Object.fromEntries(params.map(([name]) => [name, found[name] ?? null]));
  },
  namedId: (params) => (Array.isArray(params) && params.length === 1 ? params[0] : undefined),
  // The same for all groups of methods.
  unsubscribed: (_method, wasLive) => wasLive,
  denied: ({ kind, method }) => {
    if (kind !== 'call') return deniedUnsafe;
    const other = method.startsWith('state_') ? { ...deniedUnsafe, code: 4003 } : deniedUnsafe;
    return deniedByName[method] ?? other;
  },
  announcesInBatches: true,

  readAccount: readAddress,
  checkVersion: () => undefined,
  checkKeyType: (keyType) => {
    if (textToBytes(keyType).length !== 4)
      throw new RpcError(1040, 'Invalid key type ID format (should be of length four)');
  },
  // An event of the subscription reports it.
  checkHex: () => undefined,
  // The specification's items and their keys are optional; the SDK's are not.
  checkDiffItems: (items) => {
    if (items == null) throw missing('No more params');
    if (items.some(({ key }) => key == null)) throw missing('missing field `key`');
  },
  localOwner: () => {
    throw new RpcError(5001, 'This storage kind is not available yet');
  },
  // A native node has these methods only in a seal mode, not with slot-based authoring.
  hasEngine: ({ kind }) => kind !== 'slots',
  maxKeysPaged: 1000,

  block: (block, _grandpa, justifications) => ({ block, justifications }),
  finalizedAmongAll: () => [],
  dispatchInfo: ({ refTime, proofSize, class: dispatchClass, partialFee }) => ({
    weight: { ref_time: toNumber(refTime), proof_size: toNumber(proofSize) },
    class: dispatchClass,
    partialFee: `${partialFee}`,
  }),
  removed: (hash) => hash,
  customChainType: (name) => ({ Custom: name }),
  chainSpec: ({ extensions, known, codeSubstitutes, genesis }) => ({
    ...extensions,
    ...known,
    codeSubstitutes,
    genesis,
  }),
  sizeOfNone: (sum) => sum(),
  callNowhere: (why) => ({ success: false, error: why }),

  malformedExtrinsic: (why) => new RpcError(1040, `Client error: ${why}`),
  // Numbered within the method group.
  malformedHex: (why) => new RpcError(3001, why),
  tooLowPriority: (old, offered) =>
    new RpcError(1014, `Priority is too low: (${old} vs ${offered})`, lowPriority),
  poolIsFull: () => new RpcError(1016, 'Immediately Dropped', overLimit),
  validationFailed: (why) =>
    new RpcError(1002, `Verification Error: Runtime error: ${why}`, `RuntimeApi(${JSON.stringify(why)})`),
  belowFinalized,

  provesBlocks: true,
  countsOverBroadcasts: false,
  // The native node forgets the transaction before it removes it (sc-rpc-spec-v2, `stop_broadcast`), so it
  // can be sent again.
  stopTakesOut: false,
  headerIsOperation: true,
};
