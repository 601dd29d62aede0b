import { concatBytes, textToBytes } from '../../../worker/bytes/bytes.ts';
import { bytesToHex } from '../../../worker/bytes/hex.ts';
import { Writer } from '../../../worker/bytes/writer.ts';
import type { Crypto } from '../../../worker/crypto/crypto.ts';
import { hostFunctions } from '../../../worker/executor/host/index.ts';
import type { DeclaredApi } from '../../../worker/executor/tiny-module.fixture.ts';
import { encodeConfiguration, stubConfiguration } from '../../rigs/stub-runtime.ts';
import { notImportable } from './differences.ts';
import { buildTestRuntime } from './runtime.ts';
import { createScripts } from './script.ts';

/** The rows that the test runtime imports: all that a native node offers. */
export const importedRows = [...hostFunctions.values()].filter(({ name }) => !notImportable.has(name));
export const scripts = createScripts(importedRows);

/** Keys of the main trie: prefixes of each other, neighbors, lowest and highest bytes. */
export const stateKeys: readonly Uint8Array[] = [
  ...['a', 'ab', 'abc', 'abd', 'ac', 'b', 'ba', 'z', 'z\0', 'z\x01', 'zz'].map(textToBytes),
  ...Array.from({ length: 24 }, (_, i) => Uint8Array.of(0x70, (i * 7) & 255, i)),
  ...[[0x80], [0x80, 0], [0xff], [0xff, 0xff], [0xff, 0xff, 0xff]].map((key) => Uint8Array.from(key)),
];

/** Lengths around the limits of the trie: of inline nodes, and of values that version 1 stores by their hash. */
export const valueLengths = [0, 1, 2, 31, 32, 33, 34, 40, 63, 64, 65, 300] as const;
const sampleValue = (index: number): Uint8Array =>
  new Uint8Array(valueLengths[index % valueLengths.length] as number).fill(index + 1);

/** Values that `storage_append` extends, or replaces where the length in front does not decode. */
export const lists: Readonly<Record<string, Uint8Array>> = {
  list: Uint8Array.of(12, 1, 2, 3),
  list63: concatBytes(Uint8Array.of(252), new Uint8Array(63).fill(5)),
  list16383: concatBytes(Uint8Array.of(253, 255), new Uint8Array(8).fill(6)),
  listEmpty: new Uint8Array(0),
  listBad: new Uint8Array(9).fill(255),
  listUnusual: Uint8Array.of(1, 0),
};

/** Child tries by name, with the number of their keys. */
export const childTries: Readonly<Record<string, number>> = { c1: 20, c2: 1, c3: 5, '': 3 };
export const childKey = (index: number): Uint8Array => Uint8Array.of((index * 13) & 255, index & 3);

const hexPairs = (pairs: readonly (readonly [Uint8Array, Uint8Array])[]): Record<string, string> =>
  Object.fromEntries(pairs.map(([key, value]) => [bytesToHex(key), bytesToHex(value)]));

/** A runtime API by the first 8 bytes of the hash of its name. */
const declaredApi = (crypto: Crypto, name: string, version: number): DeclaredApi => [
  crypto.blake2b(64, textToBytes(name)),
  version,
];

/**
 * The test runtime. A native node asks it for the authorities of BABE and GRANDPA when it starts, and for
 * nothing else.
 */
export const testRuntime = (crypto: Crypto, stateVersion: 0 | 1): Uint8Array => {
  const authority = crypto.suriToPair('//Alice', 'ed25519').publicKey;
  return buildTestRuntime({
    stateVersion,
    rows: importedRows,
    apis: [
      declaredApi(crypto, 'BabeApi', 2),
      declaredApi(crypto, 'GrandpaApi', 3),
      declaredApi(crypto, 'SessionKeys', 2),
    ],
    outputs: {
      BabeApi_configuration: encodeConfiguration(stubConfiguration(crypto)),
      GrandpaApi_grandpa_authorities: new Writer().compact(1).raw(authority).u64(1n).finish(),
      GrandpaApi_current_set_id: new Uint8Array(8),
    },
  });
};

/** A raw chain specification with the test runtime and the keys above. */
export const buildSpec = (crypto: Crypto, stateVersion: 0 | 1): string => {
  const top = hexPairs([
    ...stateKeys.map((key, index) => [key, sampleValue(index)] as const),
    ...Object.entries(lists).map(([key, value]) => [textToBytes(key), value] as const),
    [textToBytes(':code'), testRuntime(crypto, stateVersion)],
  ]);
  const childrenDefault = Object.fromEntries(
    Object.entries(childTries).map(([name, count]) => [
      bytesToHex(textToBytes(name)),
      hexPairs(Array.from({ length: count }, (_, i) => [childKey(i), sampleValue(i + 3)] as const)),
    ]),
  );
  return JSON.stringify({
    name: 'Host calls',
    id: `host-calls-${stateVersion}`,
    chainType: 'Local',
    bootNodes: [],
    properties: {},
    telemetryEndpoints: null,
    protocolId: null,
    genesis: { raw: { top, childrenDefault } },
  });
};
