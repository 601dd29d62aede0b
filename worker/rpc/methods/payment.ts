import { NodeError } from '../../../src/protocol/errors.ts';
import type { payment } from '../../../src/protocol/rpc/system.ts';
import { concatBytes } from '../../bytes/bytes.ts';
import { decodeWhole, type Reader } from '../../bytes/reader.ts';
import { Writer } from '../../bytes/writer.ts';
import { readOpaqueExtrinsic } from '../convert.ts';
import type { DispatchInfo } from '../dialects/dialect.ts';
import { RpcError } from '../errors.ts';
import type { Handlers } from '../handlers.ts';
import { blockAt, failureText, withRuntimeErrors } from '../lookups.ts';
import type { RpcParts } from '../parts.ts';

const classes = ['normal', 'operational', 'mandatory'] as const;

/** One function of the runtime's payment API. The API version determines how its output is decoded. */
type Query<T> = {
  readonly method: string;
  readonly refusal: string;
  readonly decode: (reader: Reader, apiVersion: number) => T;
};

/** RuntimeDispatchInfo. In version 1 of the API the weight is a single u64. */
const infoQuery: Query<DispatchInfo> = {
  method: 'TransactionPaymentApi_query_info',
  refusal: 'Unable to query dispatch info.',
  decode: (reader, apiVersion) => {
    const refTime = apiVersion < 2 ? reader.u64() : reader.compactBig();
    const proofSize = apiVersion < 2 ? 0n : reader.compactBig();
    const variant = classes[reader.u8()];
    if (variant === undefined) throw new NodeError('BadScale', 'Unknown dispatch class');
    return { refTime, proofSize, class: variant, partialFee: reader.u128() };
  },
};

const hexOf = (value: bigint): string => `0x${value.toString(16)}`;

/** FeeDetails: the inclusion fees, if any. The tip at the end is never reported. */
const detailsQuery: Query<{ baseFee: string; lenFee: string; adjustedWeightFee: string } | null> = {
  method: 'TransactionPaymentApi_query_fee_details',
  refusal: 'Unable to query fee details.',
  decode: (reader) => {
    const fees = reader.option((inner) => ({
      baseFee: hexOf(inner.u128()),
      lenFee: hexOf(inner.u128()),
      adjustedWeightFee: hexOf(inner.u128()),
    }));
    reader.u128();
    return fees;
  },
};

const ask = async <T>(
  deps: Pick<RpcParts, 'chain'>,
  query: Query<T>,
  bytes: Uint8Array,
  at: string | null | undefined,
): Promise<T> => {
  const badBytes = (why: string): RpcError =>
    new RpcError(
      2,
      query.refusal,
      `Error { cause: Some(Error { cause: None, desc: "${why}" }), desc: "Could not decode \`OpaqueExtrinsic.0\`" }`,
    );
  const { extrinsic } = readOpaqueExtrinsic(bytes, badBytes);
  const hash = blockAt(deps, at);
  const fail = (why: string): RpcError => new RpcError(1, query.refusal, why);
  return await withRuntimeErrors(hash, fail, async () => {
    const runtime = await deps.chain.runtimeAt(hash);
    const length = new Writer(4).u32(extrinsic.length).finish();
    const result = await deps.chain.callAt(hash, query.method, concatBytes(extrinsic, length));
    if (!result.ok) throw fail(failureText(query.method, result));
    const apiVersion = runtime.apiVersion('TransactionPaymentApi') ?? 1;
    return decodeWhole(result.output, (reader) => query.decode(reader, apiVersion));
  });
};

export const paymentMethods: Handlers<typeof payment, Pick<RpcParts, 'chain'>> = {
  payment_queryInfo: async (deps, { encoded_xt, at }, { dialect }) =>
    dialect.dispatchInfo(await ask(deps, infoQuery, encoded_xt, at)),
  payment_queryFeeDetails: async (deps, { encoded_xt, at }) => ({
    inclusionFee: await ask(deps, detailsQuery, encoded_xt, at),
  }),
};
