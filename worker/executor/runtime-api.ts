import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToKey, concatBytes, noBytes, textToBytes } from '../bytes/bytes.ts';
import { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import { type Block, encodeBlock, readExtrinsic } from '../codec/block.ts';
import { decodeHeader, encodeHeader, type Header } from '../codec/header.ts';
import { decodeRuntimeVersion, type RuntimeVersion } from '../codec/runtime-version.ts';
import type { Backend } from '../state/backend.ts';
import { createOverlay, type Overlay } from '../state/overlay.ts';
import type { CallOptions, Runtime } from './runtime.ts';

/** Where a typed call runs, and with which options. */
export type ApiTarget = {
  readonly runtime: Runtime;
  readonly overlay: Overlay;
  readonly options?: CallOptions;
};

/** A call on an existing state. Writes are dropped with the overlay. */
export const targetOf = (
  { backend, runtime }: { readonly backend: Backend; readonly runtime: Runtime },
  options: CallOptions = {},
): ApiTarget => ({ runtime, overlay: createOverlay(backend), options });

/**
 * Returns the raw output. A trap is thrown as `RuntimeTrap` or `OutOfFuel`, a missing method as `MissingApi`.
 */
export const callApi = (target: ApiTarget, method: string, input: Uint8Array): Uint8Array => {
  const result = target.runtime.call(target.overlay, method, input, target.options);
  if (result.ok) return result.output;
  const code =
    result.kind === 'missingExport' ? 'MissingApi' : result.kind === 'fuel' ? 'OutOfFuel' : 'RuntimeTrap';
  throw new NodeError(code, `${method}: ${result.trap}`, {
    details: { method, kind: result.kind, trap: result.trap },
  });
};

/** Calls a method and decodes the whole output. Throws like `callApi`, or `BadScale`. */
export const callAndDecode = <T>(
  target: ApiTarget,
  method: string,
  input: Uint8Array,
  decode: (reader: Reader) => T,
): T => {
  const reader = new Reader(callApi(target, method, input));
  const value = decode(reader);
  reader.end();
  return value;
};

const bytes = (reader: Reader): Uint8Array => reader.vecBytes().slice();

export const coreVersion = (target: ApiTarget): RuntimeVersion =>
  decodeRuntimeVersion(callApi(target, 'Core_version', noBytes));

/** The block must not contain a seal. */
export const coreExecuteBlock = (target: ApiTarget, block: Block): void => {
  callApi(target, 'Core_execute_block', encodeBlock(block));
};

/** `onlyInherents` exists since Core 5. The author must then leave transactions out. */
export const coreInitializeBlock = (target: ApiTarget, header: Header): 'allExtrinsics' | 'onlyInherents' =>
  callApi(target, 'Core_initialize_block', encodeHeader(header))[0] === 1 ? 'onlyInherents' : 'allExtrinsics';

/** Opaque metadata in the runtime's preferred version, starting with `meta`. */
export const metadata = (target: ApiTarget): Uint8Array =>
  callAndDecode(target, 'Metadata_metadata', noBytes, bytes);

/** The outer result of an extrinsic. `applied` means included in the block, even if its dispatch failed. */
export type ApplyOutcome =
  | { readonly kind: 'applied'; readonly dispatchError: Uint8Array | null }
  | { readonly kind: 'invalid' | 'unknown'; readonly error: Uint8Array };
export const applyExtrinsic = (target: ApiTarget, extrinsic: Uint8Array): ApplyOutcome => {
  const output = callApi(target, 'BlockBuilder_apply_extrinsic', extrinsic);
  if (output[0] === 0) return { kind: 'applied', dispatchError: output[1] === 0 ? null : output.slice(2) };
  return { kind: output[1] === 0 ? 'invalid' : 'unknown', error: output.slice(2) };
};
export const inherentExtrinsics = (target: ApiTarget, inherentData: Uint8Array): Uint8Array[] =>
  callAndDecode(target, 'BlockBuilder_inherent_extrinsics', inherentData, (reader) =>
    reader.vec(readExtrinsic),
  );
export const checkInherents = (
  target: ApiTarget,
  block: Block,
  inherentData: Uint8Array,
): { okay: boolean; fatal: boolean; errors: (readonly [id: string, error: Uint8Array])[] } =>
  callAndDecode(
    target,
    'BlockBuilder_check_inherents',
    concatBytes(encodeBlock(block), inherentData),
    (reader) => ({
      okay: reader.bool(),
      fatal: reader.bool(),
      errors: reader.vec((item) => [bytesToKey(item.take(8)), bytes(item)] as const),
    }),
  );
/** The complete header, without seal. */
export const finalizeBlock = (target: ApiTarget): Header =>
  decodeHeader(callApi(target, 'BlockBuilder_finalize_block', noBytes));

/** 0 in block, 1 local, 2 external. */
export type TransactionSource = 0 | 1 | 2;
export type TransactionValidity =
  | {
      readonly kind: 'valid';
      readonly priority: bigint;
      readonly requires: Uint8Array[];
      readonly provides: Uint8Array[];
      readonly longevity: bigint;
      readonly propagate: boolean;
    }
  | { readonly kind: 'invalid' | 'unknown'; readonly error: Uint8Array };

const zeros = /* @__PURE__ */ new Uint8Array(32);

const readValidity = (reader: Reader): TransactionValidity => {
  if (reader.u8() === 0) {
    const [priority, requires, provides] = [reader.u64(), reader.vec(bytes), reader.vec(bytes)];
    return { kind: 'valid', priority, requires, provides, longevity: reader.u64(), propagate: reader.bool() };
  }
  const kind = reader.u8() === 0 ? 'invalid' : 'unknown';
  return { kind, error: reader.take(reader.remaining).slice() };
};

/**
 * Validates a transaction on the state of `at`. Below version 3, the next block is initialized first, on the
 * same overlay; version 1 has no source.
 */
export const validateTransaction = (
  target: ApiTarget,
  extrinsic: Uint8Array,
  source: TransactionSource,
  at: { readonly hash: Uint8Array; readonly number: number },
): TransactionValidity => {
  const method = 'TaggedTransactionQueue_validate_transaction';
  const version = target.runtime.apiVersion('TaggedTransactionQueue');
  if (version === null) throw new NodeError('MissingApi', 'The runtime lacks TaggedTransactionQueue');
  const tagged = concatBytes(Uint8Array.of(source), extrinsic);
  if (version >= 3) return callAndDecode(target, method, concatBytes(tagged, at.hash), readValidity);
  const header = {
    parentHash: at.hash,
    number: at.number + 1,
    stateRoot: zeros,
    extrinsicsRoot: zeros,
    digest: [],
  };
  coreInitializeBlock(target, header);
  return callAndDecode(target, method, version === 2 ? tagged : extrinsic, readValidity);
};

export const accountNonce = (target: ApiTarget, account: Uint8Array): number =>
  callAndDecode(target, 'AccountNonceApi_account_nonce', account, (reader) => reader.u32());

/** The names of the genesis presets that a runtime has. */
export const presetNames = (target: ApiTarget): string[] =>
  callAndDecode(target, 'GenesisBuilder_preset_names', noBytes, (reader) =>
    reader.vec((item) => item.text()),
  );
/** A preset as JSON, or the default configuration (`null`). */
export const getPreset = (target: ApiTarget, name: string | null): string | null =>
  callAndDecode(
    target,
    'GenesisBuilder_get_preset',
    new Writer()
      .option(name === null ? null : textToBytes(name), (writer, id) => writer.vecBytes(id))
      .finish(),
    (reader) => reader.option((item) => item.text()),
  );
/** Writes the genesis state of this JSON to the overlay. Returns the runtime's error, or null. */
export const buildState = (target: ApiTarget, json: string): string | null => {
  const input = new Writer().vecBytes(textToBytes(json)).finish();
  return callAndDecode(target, 'GenesisBuilder_build_state', input, (reader) =>
    reader.u8() === 0 ? null : reader.text(),
  );
};

/** `proof` is the owner's proof of possession; null below version 2 of the API (RFC 48). */
export type SessionKeys = { readonly keys: Uint8Array; readonly proof: Uint8Array | null };

/**
 * Generates session keys in the keystore of the call's extensions. Version 2 takes an owner and adds a proof.
 */
export const generateSessionKeys = (
  target: ApiTarget,
  seed: string | null,
  owner: Uint8Array = noBytes,
): SessionKeys => {
  const seedBytes = seed === null ? null : textToBytes(seed);
  const writer = new Writer();
  const versioned = (target.runtime.apiVersion('SessionKeys') ?? 1) >= 2;
  if (versioned) writer.vecBytes(owner);
  writer.option(seedBytes, (out, value) => out.vecBytes(value));
  return callAndDecode(target, 'SessionKeys_generate_session_keys', writer.finish(), (reader) => ({
    keys: bytes(reader),
    proof: versioned ? bytes(reader) : null,
  }));
};
export const decodeSessionKeys = (
  target: ApiTarget,
  keys: Uint8Array,
): (readonly [publicKey: Uint8Array, keyType: string])[] | null =>
  callAndDecode(target, 'SessionKeys_decode_session_keys', new Writer().vecBytes(keys).finish(), (reader) =>
    reader.option((list) => list.vec((item) => [bytes(item), bytesToKey(item.take(4))] as const)),
  );
