import { NodeError } from '../../../src/protocol/errors.ts';
import type { payment } from '../../../src/protocol/rpc/payment.ts';
import { concatBytes } from '../../bytes/bytes.ts';
import { Reader } from '../../bytes/reader.ts';
import { Writer } from '../../bytes/writer.ts';
import { readOpaqueExtrinsic } from '../convert.ts';
import { isLookUpFailure, lookUpText, RpcError } from '../errors.ts';
import type { Handlers } from '../handlers.ts';
import { blockAt, failureText } from '../lookups.ts';
import type { RpcParts } from '../parts.ts';

const unable = 'Unable to query dispatch info.';
const classes = ['normal', 'operational', 'mandatory'] as const;

type DispatchInfo = {
  readonly refTime: bigint;
  readonly proofSize: bigint;
  readonly class: (typeof classes)[number];
  readonly partialFee: bigint;
};

/** RuntimeDispatchInfo; version 1 of the API has one u64 weight (RPC.md §1.11). */
const decodeDispatchInfo = (output: Uint8Array, apiVersion: number): DispatchInfo => {
  const reader = new Reader(output);
  const refTime = apiVersion < 2 ? reader.u64() : reader.compactBig();
  const proofSize = apiVersion < 2 ? 0n : reader.compactBig();
  const variant = classes[reader.u8()];
  if (variant === undefined) throw new NodeError('BadScale', 'Unknown dispatch class');
  const partialFee = reader.u128();
  reader.end();
  return { refTime, proofSize, class: variant, partialFee };
};

const queryInfo = async (
  deps: Pick<RpcParts, 'chain'>,
  bytes: Uint8Array,
  at: string | null | undefined,
): Promise<DispatchInfo> => {
  const read = readOpaqueExtrinsic(bytes);
  if (!read.ok)
    throw new RpcError(
      2,
      unable,
      `Error { cause: Some(Error { cause: None, desc: "${read.why}" }), desc: "Could not decode \`OpaqueExtrinsic.0\`" }`,
    );
  const hash = blockAt(deps, at);
  const method = 'TransactionPaymentApi_query_info';
  try {
    const runtime = await deps.chain.runtimeAt(hash);
    const length = new Writer(4).u32(read.extrinsic.length).finish();
    const result = await deps.chain.callAt(hash, method, concatBytes(read.extrinsic, length));
    if (!result.ok) throw new RpcError(1, unable, failureText(method, result));
    return decodeDispatchInfo(result.output, runtime.apiVersion('TransactionPaymentApi') ?? 1);
  } catch (error) {
    if (isLookUpFailure(error)) throw new RpcError(1, unable, lookUpText(error, 'api', hash));
    if (error instanceof NodeError) throw new RpcError(1, unable, error.message);
    throw error;
  }
};

const toNumber = (value: bigint): number | bigint =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;

export const paymentMethods: Handlers<typeof payment, Pick<RpcParts, 'chain'>> = {
  payment_queryInfo: async (deps, { encoded_xt, at }, { dialect }) => {
    const info = await queryInfo(deps, encoded_xt, at);
    if (dialect === 'psp-6') return info.partialFee;
    const weight = { ref_time: toNumber(info.refTime), proof_size: toNumber(info.proofSize) };
    return { weight, class: info.class, partialFee: `${info.partialFee}` };
  },
};
