import { refuse } from './decoder-text.ts';
import type { Param } from './define.ts';
import { type BytesInput, param, parseBytes } from './params.ts';

type Weight = { readonly refTime: bigint; readonly proofSize: bigint };
type Amount = number | bigint | string;

/** A call of a contract. Accounts are texts as given; null gas or deposit means no limit of the caller's. */
export type ContractCall = {
  readonly origin: string;
  readonly dest: string;
  readonly value: bigint;
  readonly gasLimit: Weight | null;
  readonly storageDepositLimit: bigint | null;
  readonly inputData: Uint8Array;
};
type WeightInput = { readonly refTime: Amount; readonly proofSize: Amount };
export type ContractCallInput = {
  readonly origin: string;
  readonly dest: string;
  readonly value: Amount;
  readonly gasLimit?: Amount | WeightInput | null;
  readonly storageDepositLimit?: Amount | null;
  readonly inputData: BytesInput;
};

const maxU64 = 0xffff_ffff_ffff_ffffn;
const maxU128 = (1n << 128n) - 1n;
const members = ['origin', 'dest', 'value', 'gasLimit', 'storageDepositLimit', 'inputData'];

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parseText = (value: unknown, name: string): string =>
  typeof value === 'string' ? value : refuse(`invalid type of \`${name}\`, expected a string`);

/** A number, or hex as text. */
const parseAmount = (value: unknown, name: string, max: bigint): bigint => {
  const isWhole = typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
  const isHex = typeof value === 'string' && /^0x[0-9a-fA-F]{1,32}$/.test(value);
  if (!isWhole && !isHex) return refuse(`invalid type of \`${name}\`, expected a number or hex text`);
  const amount = BigInt(value);
  return amount >= 0n && amount <= max ? amount : refuse(`number of \`${name}\` out of range`);
};

/** One number limits the time and leaves the proof free. */
const parseGas = (value: unknown): Weight | null => {
  if (value === null || value === undefined) return null;
  if (!isRecord(value)) return { refTime: parseAmount(value, 'gasLimit', maxU64), proofSize: maxU64 };
  const { refTime, proofSize } = value;
  return {
    refTime: parseAmount(refTime ?? value['ref_time'], 'refTime', maxU64),
    proofSize: parseAmount(proofSize ?? value['proof_size'], 'proofSize', maxU64),
  };
};

/** The request of `contracts_call` (RPC.md §1.12). */
export const contractCall = (): Param<ContractCall, ContractCallInput> =>
  param('contractCall', (value) => {
    if (!isRecord(value)) return refuse('invalid type, expected struct CallRequest');
    const unknown = Object.keys(value).find((name) => !members.includes(name));
    if (unknown !== undefined) return refuse(`unknown field \`${unknown}\``);
    const deposit = value['storageDepositLimit'] ?? null;
    return {
      origin: parseText(value['origin'], 'origin'),
      dest: parseText(value['dest'], 'dest'),
      value: parseAmount(value['value'], 'value', maxU128),
      gasLimit: parseGas(value['gasLimit']),
      storageDepositLimit: deposit === null ? null : parseAmount(deposit, 'storageDepositLimit', maxU128),
      inputData: parseBytes(value['inputData']),
    };
  });
