import type { contracts as table } from '../../../src/protocol/rpc/contracts.ts';
import type {
  ContractCall,
  ContractInstantiation,
  ContractUpload,
} from '../../../src/protocol/rpc/params/contracts.ts';
import { bytesToHex, hexToBytes } from '../../bytes/hex.ts';
import { Reader } from '../../bytes/reader.ts';
import { Writer } from '../../bytes/writer.ts';
import { readDispatchError } from '../../codec/dispatch-error.ts';
import { ss58Encode } from '../../crypto/ss58.ts';
import { toNumber } from '../convert.ts';
import type { RpcDialect } from '../dialects/dialect.ts';
import { methodNotFound, RpcError } from '../errors.ts';
import type { Handlers } from '../handlers.ts';
import { blockAt, failureText, withRuntimeErrors } from '../lookups.ts';
import type { RpcParts } from '../parts.ts';

type Deps = Pick<RpcParts, 'chain' | 'crypto'>;

/** Error codes of pallet-contracts-rpc, as of the last release with these methods. */
const runtimeError = (why: string): RpcError => new RpcError(1, 'Runtime error', why);
const accessErrors: readonly (readonly [code: number, message: string])[] = [
  [2, "The specified contract doesn't exist."],
  [3, 'Failed to decode the specified storage key.'],
  [3, 'The contracts are being migrated.'],
];

/** The API version whose weights have two parts and whose errors have four bytes. */
const knownApi = 2;

/** Throws -32601 if the runtime has no contracts, code 1 for calls that it refuses. */
const ask = async <T>(
  { chain }: Deps,
  at: string | null | undefined,
  method: string,
  input: Uint8Array,
  read: (reader: Reader) => T,
): Promise<T> => {
  const hash = blockAt({ chain }, at);
  return await withRuntimeErrors(hash, runtimeError, async () => {
    const version = (await chain.runtimeAt(hash)).apiVersion('ContractsApi');
    if (version === null) throw new RpcError(methodNotFound.code, methodNotFound.message);
    if (version !== knownApi) throw runtimeError(`ContractsApi version ${version} is not supported`);
    const result = await chain.callAt(hash, method, input);
    if (!result.ok) throw runtimeError(failureText(method, result));
    return read(new Reader(result.output));
  });
};

type Limits = Pick<ContractCall, 'value' | 'gasLimit' | 'storageDepositLimit'>;

const writeLimits = (writer: Writer, { value, gasLimit, storageDepositLimit }: Limits): Writer =>
  writer
    .u128(value)
    .option(gasLimit, (out, gas) => out.compact(gas.refTime).compact(gas.proofSize))
    .option(storageDepositLimit, (out, limit) => out.u128(limit));

const encodeCall = (deps: Deps, request: ContractCall, dialect: RpcDialect): Uint8Array => {
  const writer = new Writer()
    .raw(dialect.readAccount(deps, request.origin))
    .raw(dialect.readAccount(deps, request.dest));
  return writeLimits(writer, request).vecBytes(request.inputData).finish();
};

const encodeInstantiation = (deps: Deps, request: ContractInstantiation, dialect: RpcDialect): Uint8Array => {
  const writer = writeLimits(new Writer().raw(dialect.readAccount(deps, request.origin)), request);
  if (request.code.kind === 'upload') writer.u8(0).vecBytes(request.code.bytes);
  else writer.u8(1).raw(hexToBytes(request.code.hash));
  return writer.vecBytes(request.data).vecBytes(request.salt).finish();
};

/** Determinism::Enforced: the code must be valid on chain. */
const enforced = 0;

const encodeUpload = (deps: Deps, request: ContractUpload, dialect: RpcDialect): Uint8Array =>
  new Writer()
    .raw(dialect.readAccount(deps, request.origin))
    .vecBytes(request.code)
    .option(request.storageDepositLimit, (writer, limit) => writer.u128(limit))
    .u8(enforced)
    .finish();

const readWeight = (reader: Reader) => ({
  ref_time: toNumber(reader.compactBig()),
  proof_size: toNumber(reader.compactBig()),
});

const readResult = <T>(reader: Reader, readOk: (reader: Reader) => T) =>
  reader.u8() === 0 ? { Ok: readOk(reader) } : { Err: readDispatchError(reader) };

const readReturned = (reader: Reader) => ({ flags: reader.u32(), data: bytesToHex(reader.vecBytes()) });
const readMade = ({ crypto }: Deps, reader: Reader) => ({
  result: readReturned(reader),
  accountId: ss58Encode(crypto, reader.take(32), 42),
});
const readUploaded = (reader: Reader) =>
  readResult(reader, (from) => ({ codeHash: bytesToHex(from.take(32)), deposit: toNumber(from.u128()) }));

/**
 * ContractResult of pallet-contracts. The events at its end have runtime-specific types and are not decoded.
 */
const readExecution = <T>(reader: Reader, readOk: (reader: Reader) => T) => {
  const gasConsumed = readWeight(reader);
  const gasRequired = readWeight(reader);
  const isRefund = reader.u8() === 0;
  const deposit = toNumber(reader.u128());
  const debugMessage = reader.text();
  const storageDeposit = isRefund ? { refund: deposit } : { charge: deposit };
  return { gasConsumed, gasRequired, storageDeposit, debugMessage, result: readResult(reader, readOk) };
};

const readStorage = (reader: Reader): string | null => {
  if (reader.u8() === 0) return reader.option((inner) => bytesToHex(inner.vecBytes()));
  const known = accessErrors[reader.u8()];
  throw known === undefined ? runtimeError('Unknown ContractAccessError') : new RpcError(...known);
};

export const contractsMethods: Handlers<typeof table, Deps> = {
  contracts_call: (deps, { call_request, at }, { dialect }) =>
    ask(deps, at, 'ContractsApi_call', encodeCall(deps, call_request, dialect), (reader) =>
      readExecution(reader, readReturned),
    ),
  contracts_instantiate: (deps, { instantiate_request, at }, { dialect }) =>
    ask(
      deps,
      at,
      'ContractsApi_instantiate',
      encodeInstantiation(deps, instantiate_request, dialect),
      (reader) => readExecution(reader, (from) => readMade(deps, from)),
    ),
  contracts_upload_code: (deps, { upload_request, at }, { dialect }) =>
    ask(deps, at, 'ContractsApi_upload_code', encodeUpload(deps, upload_request, dialect), readUploaded),
  contracts_getStorage: (deps, { address, key, at }, { dialect }) => {
    const input = new Writer().raw(dialect.readAccount(deps, address)).vecBytes(key).finish();
    return ask(deps, at, 'ContractsApi_get_storage', input, readStorage);
  },
  contracts_rentProjection: () => null,
};
