import { refuse } from '../decoder-text.ts';
import type { Param } from '../define.ts';
import { type BytesInput, param, parseBytes, parseHash } from './params.ts';

type Weight = { readonly refTime: bigint; readonly proofSize: bigint };
type Amount = number | bigint | string;

/** A contract call. Accounts are given as text; null gas or deposit means no limit by the caller. */
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

/** A single number limits the time and leaves the proof size unlimited. */
const parseGas = (value: unknown): Weight | null => {
  if (value === null || value === undefined) return null;
  if (!isRecord(value)) return { refTime: parseAmount(value, 'gasLimit', maxU64), proofSize: maxU64 };
  const { refTime, proofSize } = value;
  return {
    refTime: parseAmount(refTime ?? value['ref_time'], 'refTime', maxU64),
    proofSize: parseAmount(proofSize ?? value['proof_size'], 'proofSize', maxU64),
  };
};

const parseDeposit = (value: unknown): bigint | null =>
  value === null || value === undefined ? null : parseAmount(value, 'storageDepositLimit', maxU128);

/** The members of a request by name; an unknown one is refused. */
const readRequest = (value: unknown, struct: string, members: readonly string[]): Record<string, unknown> => {
  if (!isRecord(value)) return refuse(`invalid type, expected struct ${struct}`);
  const unknown = Object.keys(value).find((name) => !members.includes(name));
  return unknown === undefined ? value : refuse(`unknown field \`${unknown}\``);
};

const callMembers = ['origin', 'dest', 'value', 'gasLimit', 'storageDepositLimit', 'inputData'];

/** The request of `contracts_call`. */
export const contractCall = (): Param<ContractCall, ContractCallInput> =>
  param('contractCall', (value) => {
    const request = readRequest(value, 'CallRequest', callMembers);
    return {
      origin: parseText(request['origin'], 'origin'),
      dest: parseText(request['dest'], 'dest'),
      value: parseAmount(request['value'], 'value', maxU128),
      gasLimit: parseGas(request['gasLimit']),
      storageDepositLimit: parseDeposit(request['storageDepositLimit']),
      inputData: parseBytes(request['inputData']),
    };
  });

/** Code of a new contract: its bytes, or the hash of uploaded code. */
export type ContractCode =
  | { readonly kind: 'upload'; readonly bytes: Uint8Array }
  | { readonly kind: 'existing'; readonly hash: string };
type ContractCodeInput = BytesInput | { readonly upload: BytesInput } | { readonly existing: string };

export type ContractInstantiation = Pick<
  ContractCall,
  'origin' | 'value' | 'gasLimit' | 'storageDepositLimit'
> & { readonly code: ContractCode; readonly data: Uint8Array; readonly salt: Uint8Array };
export type ContractInstantiationInput = Omit<ContractCallInput, 'dest' | 'inputData'> & {
  readonly code: ContractCodeInput;
  readonly data: BytesInput;
  readonly salt?: BytesInput | null;
};

/** Bare bytes are the form that requests had before uploads got their own. */
const parseCode = (value: unknown): ContractCode => {
  if (!isRecord(value)) return { kind: 'upload', bytes: parseBytes(value) };
  const [[name, inner] = ['', null], ...others] = Object.entries(value);
  if (others.length === 0 && name === 'upload') return { kind: 'upload', bytes: parseBytes(inner) };
  if (others.length === 0 && name === 'existing') return { kind: 'existing', hash: parseHash(inner) };
  return refuse(`unknown variant \`${name}\`, expected \`upload\` or \`existing\``);
};

const instantiateMembers = ['origin', 'value', 'gasLimit', 'storageDepositLimit', 'code', 'data', 'salt'];

/** The request of `contracts_instantiate`. */
export const contractInstantiation = (): Param<ContractInstantiation, ContractInstantiationInput> =>
  param('contractInstantiation', (value) => {
    const request = readRequest(value, 'InstantiateRequest', instantiateMembers);
    return {
      origin: parseText(request['origin'], 'origin'),
      value: parseAmount(request['value'], 'value', maxU128),
      gasLimit: parseGas(request['gasLimit']),
      storageDepositLimit: parseDeposit(request['storageDepositLimit']),
      code: parseCode(request['code']),
      data: parseBytes(request['data']),
      salt: parseBytes(request['salt'] ?? []),
    };
  });

export type ContractUpload = Pick<ContractCall, 'origin' | 'storageDepositLimit'> & {
  readonly code: Uint8Array;
};
export type ContractUploadInput = Pick<ContractCallInput, 'origin' | 'storageDepositLimit'> & {
  readonly code: BytesInput;
};

/** The request of `contracts_upload_code`. */
export const contractUpload = (): Param<ContractUpload, ContractUploadInput> =>
  param('contractUpload', (value) => {
    const request = readRequest(value, 'CodeUploadRequest', ['origin', 'code', 'storageDepositLimit']);
    return {
      origin: parseText(request['origin'], 'origin'),
      code: parseBytes(request['code']),
      storageDepositLimit: parseDeposit(request['storageDepositLimit']),
    };
  });
