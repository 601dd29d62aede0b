import { textToBytes } from '../bytes/bytes.ts';
import { bytesToHex } from '../bytes/hex.ts';
import { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';

/** `sp_version::RuntimeVersion`. */
export type RuntimeVersion = {
  readonly specName: string;
  readonly implName: string;
  readonly authoringVersion: number;
  readonly specVersion: number;
  readonly implVersion: number;
  /** Id (blake2b-64 of the trait's name) and version of each runtime API. */
  readonly apis: readonly (readonly [id: Uint8Array, version: number])[];
  readonly transactionVersion: number;
  /** 0: state V0; 1: state V1; 2: state and extrinsics V1. Called state_version before 2024. */
  readonly systemVersion: number;
};

/** blake2b-64 of "Core". */
const coreId = '0xdf6acb689907609b';

/** Version of the Core API in a list of APIs, or null. */
export const coreVersionOf = (apis: RuntimeVersion['apis']): number | null =>
  apis.find(([id]) => bytesToHex(id) === coreId)?.[1] ?? null;

/**
 * Decodes a SCALE RuntimeVersion. The last two fields exist since Core 3 and Core 4. The Core version is
 * taken from the API list, unless the caller passes it (as for the custom section, whose list is empty).
 * Throws `BadScale`.
 */
export const decodeRuntimeVersion = (
  bytes: Uint8Array,
  coreApiVersion?: number | undefined,
): RuntimeVersion => {
  const reader = new Reader(bytes);
  const specName = reader.text();
  const implName = reader.text();
  const authoringVersion = reader.u32();
  const specVersion = reader.u32();
  const implVersion = reader.u32();
  const apis = reader.vec((item): [Uint8Array, number] => [item.take(8).slice(), item.u32()]);
  const core = coreApiVersion ?? coreVersionOf(apis) ?? 0;
  const transactionVersion = core >= 3 ? reader.u32() : 1;
  const systemVersion = core >= 4 ? reader.u8() : 0;
  return {
    specName,
    implName,
    authoringVersion,
    specVersion,
    implVersion,
    apis,
    transactionVersion,
    systemVersion,
  };
};

/** Encodes all fields, whatever the Core version, like a native node does for `ext_misc_runtime_version`. */
export const encodeRuntimeVersion = (version: RuntimeVersion): Uint8Array =>
  new Writer()
    .vecBytes(textToBytes(version.specName))
    .vecBytes(textToBytes(version.implName))
    .u32(version.authoringVersion)
    .u32(version.specVersion)
    .u32(version.implVersion)
    .vec(version.apis, (writer, [id, api]) => writer.raw(id).u32(api))
    .u32(version.transactionVersion)
    .u8(version.systemVersion)
    .finish();

/**
 * The version from two custom sections of a module: `runtime_version` (with an empty API list) and
 * `runtime_apis` (12 bytes each), as sc-executor's `read_embedded_version`. Null without the first: then only
 * `Core_version` returns it (sp-version, `RuntimeVersion`). Throws `BadScale`.
 */
export const versionFromSections = (
  version: Uint8Array | null,
  apis: Uint8Array | null,
): RuntimeVersion | null => {
  if (version === null) return null;
  if (apis === null) return decodeRuntimeVersion(version);
  const list: [Uint8Array, number][] = [];
  for (const reader = new Reader(apis); reader.remaining > 0; )
    list.push([reader.take(8).slice(), reader.u32()]);
  return { ...decodeRuntimeVersion(version, coreVersionOf(list) ?? undefined), apis: list };
};
