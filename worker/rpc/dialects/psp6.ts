import type { Dialect } from '../../../src/protocol/node.ts';
import { bytesToHex, hexToBytes } from '../../bytes/hex.ts';
import type { Id } from '../connection/message.ts';
import { readAddress } from '../convert.ts';
import { deniedUnsafe, RpcError } from '../errors.ts';
import { lowPriority, overLimit } from '../methods/author/submit-errors.ts';
import { readHex } from '../methods/chain-head/read-items.ts';
import type { RpcDialect } from './dialect.ts';
import { sdk } from './sdk.ts';

const malformedExtrinsic = (why: string): RpcError =>
  new RpcError(1001, `Extrinsic has invalid format: ${why}`);

const malformedHex = (why: string): RpcError => new RpcError(-32602, why);

/** First bytes of FRAME extrinsics: bare 4 and 5, signed 4, general 5 (sp_runtime, `Preamble`). */
const knownVersions: readonly number[] = [0x04, 0x05, 0x84, 0x45];

/**
 * The key types of PSP-6, and those of other current runtimes whose schemes the keystore supports
 * (sp_core::crypto::key_types).
 */
const knownTypes: readonly string[] = [
  'babe',
  'gran',
  'acco',
  'aura',
  'imon',
  'audi',
  'dumy',
  'beef',
  'para',
  'asgn',
  'stmt',
  'mixn',
];

const unknownCrypto =
  'The crypto for the given key type is unknown, please add the public key to the request to insert the key successfully.';

/** The dialect of PSP-6 and the new JSON-RPC specification, where these differ from a native node. */
export const psp6: RpcDialect = {
  name: 'psp-6',

  // Any integer is a valid id.
  isId: (value): value is Id =>
    value === null || typeof value === 'string' || typeof value === 'bigint' || Number.isInteger(value),
  readParam: (param, value) => param.read(value),
  absent: 'is missing',
  refusalOf: (name, why) => `${name}: ${why}`,
  readNamed: (entry, given, nameOf, read) => {
    const values = new Map(Object.entries(given).map(([written, value]) => [nameOf(written), value]));
    return Object.fromEntries(
      Object.entries(entry.params).map(([name, param]) => [name, read(param, values.get(name), name)]),
    );
  },
  namedId: (params) => (typeof params === 'object' && params !== null ? Object.values(params)[0] : undefined),
  unsubscribed: (method, wasLive) => (method.includes('_v1_') ? null : wasLive),
  denied: () => deniedUnsafe,
  announcesInBatches: false,

  // An address, or hex.
  readAccount: (deps, text) =>
    /^0x[0-9a-fA-F]{64}$/.test(text) ? hexToBytes(text) : readAddress(deps, text),
  checkVersion: (version) => {
    if (version !== null && !knownVersions.includes(version))
      throw malformedExtrinsic('Invalid transaction version');
  },
  checkKeyType: (keyType) => {
    if (!knownTypes.includes(keyType)) throw new RpcError(1017, unknownCrypto);
  },
  // Malformed hex is refused at once, as the specification requires.
  checkHex: (texts) => {
    for (const text of texts) if (text != null) readHex(text, malformedHex);
  },
  checkDiffItems: () => undefined,
  localOwner: (best) => best,
  hasEngine: () => true,
  maxKeysPaged: Number.POSITIVE_INFINITY,

  block: (block, justification, justifications) => ({ block, justification, justifications }),
  finalizedAmongAll: (blocks) => blocks,
  dispatchInfo: ({ partialFee }) => partialFee,
  removed: (_hash, extrinsic) => bytesToHex(extrinsic),
  customChainType: (name) => name,
  // PSP-6 does not list substitutes, but without them the chain would run other code.
  chainSpec: ({ known, codeSubstitutes, genesis }) => ({
    ...known,
    ...(Object.keys(codeSubstitutes).length === 0 ? {} : { codeSubstitutes }),
    consensusEngine: null,
    genesis,
  }),
  sizeOfNone: async () => null,
  callNowhere: () => null,

  malformedExtrinsic,
  malformedHex,
  tooLowPriority: () => new RpcError(1014, lowPriority),
  poolIsFull: () => new RpcError(1016, overLimit),
  validationFailed: (why) => new RpcError(1002, `Extrinsic verification error: Runtime error: ${why}`),
  belowFinalized: ({ message }) => message,

  // 0, like the SDK for a block built without recording a proof.
  provesBlocks: false,
  countsOverBroadcasts: true,
  stopTakesOut: true,
  headerIsOperation: false,
};

export const dialects: Readonly<Record<Dialect, RpcDialect>> = { 'psp-6': psp6, 'polkadot-sdk': sdk };
