import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/protocol/json.ts';
import type { Dialect } from '../../src/protocol/node.ts';
import { createRoutes, rpcTable } from '../../src/protocol/rpc/index.ts';
import { readArguments } from './arguments.ts';
import { dialects } from './dialects/psp6.ts';

// The texts are serde_json's `Display` output for the visitors of impl-serde and the standard types, without the position.

const routes = createRoutes(rpcTable);
const refusal = (method: string, params: string, dialect: Dialect = 'polkadot-sdk'): unknown => {
  const route = routes.get(method);
  if (route === undefined || route.kind === 'unsubscribe') throw new Error(method);
  const read = readArguments(route.entry, { params: parseJson(params) }, dialects[dialect]);
  return read.ok ? null : read.error.data;
};

const hex = 'a (both 0x-prefixed or not) hex string or byte array';
const hash = `${hex} containing 32 bytes`;
const h = `"0x${'ab'.repeat(32)}"`;

describe("errors worded like the native decoder's", () => {
  it.each([
    // Numbers: what counts as an integer, and how a float is printed.
    ['state_getKeysPaged', '["0x",1.5]', `invalid type: floating point \`1.5\`, expected u32`],
    ['state_getKeysPaged', '["0x",1e300]', `invalid type: floating point \`1e300\`, expected u32`],
    [
      'state_getKeysPaged',
      '["0x",18446744073709551616]',
      `invalid type: floating point \`1.8446744073709552e19\`, expected u32`,
    ],
    [
      'state_getKeysPaged',
      '["0x",18446744073709551615]',
      `invalid value: integer \`18446744073709551615\`, expected u32`,
    ],
    ['state_getKeysPaged', '["0x",true]', `invalid type: boolean \`true\`, expected u32`],
    ['state_getKeysPaged', '["0x",null]', `invalid type: null, expected u32`],
    ['state_getKeysPaged', '["0x",[1]]', `invalid type: sequence, expected u32`],
    ['state_getKeysPaged', '["0x",{}]', `invalid type: map, expected u32`],
    ['state_getKeysPaged', '[1e-7,1]', `invalid type: floating point \`1e-7\`, expected ${hex}`],
    // Text: Rust's escapes.
    [
      'engine_createBlock',
      '["a\\"\\u0007\\n\\\\"]',
      `invalid type: string "a\\"\\u{7}\\n\\\\", expected a boolean`,
    ],
    ['engine_createBlock', '["é😀"]', `invalid type: string "é😀", expected a boolean`],
    ['state_getStorage', '["0x1é"]', `invalid hex character: Ã, at 3`],
    ['chain_getHeader', '["éé"]', `invalid length 4, expected ${hash}`],
    ['chain_getHeader', `["0x${'ab'.repeat(31)}zz"]`, `invalid hex character: z, at 64`],
    // Lists.
    ['state_getReadProof', '[["0x01",5]]', `invalid type: integer \`5\`, expected ${hex}`],
    ['state_getReadProof', '[["0x01",[5]]]', `invalid type: sequence, expected ${hex}`],
    ['state_queryStorage', `[["0x"],"zz"]`, `invalid length 2, expected ${hash}`],
    ['author_removeExtrinsic', '[[{"hash":"0x12"}]]', `invalid length 2, expected ${hash}`],
    ['author_removeExtrinsic', '[[{"extrinsic":"0x"},{"extrinsic":"zz"}]]', `invalid hex character: z, at 0`],
    ['author_removeExtrinsic', '[[5]]', `expected value`],
    ['author_removeExtrinsic', '[[{}]]', `expected value`],
    ['author_removeExtrinsic', '[[{"x":1}]]', `unknown variant \`x\`, expected \`hash\` or \`extrinsic\``],
    ['author_removeExtrinsic', '[5]', `invalid type: integer \`5\`, expected a sequence`],
    ['engine_finalizeBlock', `[${h},"x"]`, `invalid type: string "x", expected a tuple of size 2`],
    ['engine_finalizeBlock', `[${h},[[1,2],[3]]]`, `invalid length 2, expected an array of length 4`],
    ['engine_finalizeBlock', `[${h},[[1,2,3,4,5],[3]]]`, `trailing characters`],
    ['engine_finalizeBlock', `[${h},[[1,2,3,256],[3]]]`, `invalid value: integer \`256\`, expected u8`],
    ['engine_finalizeBlock', `[${h},[[1,2,3,4]]]`, `invalid length 1, expected a tuple of size 2`],
    ['engine_finalizeBlock', `[${h},[[1,2,3,4],"0x01"]]`, `invalid type: string "0x01", expected a sequence`],
    ['mmr_generateProof', '[[1,"x"]]', `invalid type: string "x", expected u32`],
    ['mmr_verifyProof', '[{"leaves":"0x"}]', `missing field \`blockHash\``],
    ['mmr_verifyProof', '["x"]', `invalid type: string "x", expected struct LeavesProof`],
    ['offchain_localStorageGet', '[{},"0x"]', `expected value`],
    // Named parameters.
    ['chain_getHeader', '{"hash":"0x12"}', `invalid length 2, expected ${hash}`],
    ['state_getStorage', '{"hash":null}', `missing field \`key\``],
    ['state_getStorage', '{}', `missing field \`key\``],
    [
      'state_getKeysPaged',
      '{"count":1,"startKey":7,"x":[1,{}],"prefix":"zz"}',
      `invalid type: integer \`7\`, expected ${hex}`,
    ],
    ['state_getKeysPaged', '{"start_key":"0x","startKey":"0x"}', `duplicate field \`start_key\``],
    // Neither a list nor an object.
    ['state_getStorage', '"0x"', `Invalid params. Expected one of '[', ']' or ',' but found "\\"0x\\""`],
    ['state_getStorage', '7', `Invalid params. Expected one of '[', ']' or ',' but found "7"`],
    ['state_getStorage', 'null', 'No more params'],
  ])('%s %s', (method, params, expected) => {
    expect(refusal(method, params)).toBe(expected);
  });

  it('accepts values that only one dialect supports', () => {
    expect(refusal('state_getReadProof', '[[[1,2]]]', 'psp-6')).toBeNull();
    expect(refusal('engine_finalizeBlock', `[${h},["0x46524e4b","0x01"]]`, 'psp-6')).toBeNull();
    expect(refusal('state_getStorage', '{"hash":null}', 'psp-6')).toBe('key: is missing');
    expect(refusal('state_getKeysPaged', '{"startKey":"0x01","count":1}')).toBeNull();
  });

  it('names the invalid parameter in our own dialect', () => {
    const own = (method: string, params: string) => refusal(method, params, 'psp-6');
    expect(own('state_getStorage', '{}')).toBe('key: is missing');
    expect(own('state_getStorage', '[{}]')).toBe(`key: invalid type: map, expected ${hex}`);
    expect(own('state_getStorage', '["0x01",5]')).toBe(`hash: invalid type: integer \`5\`, expected ${hash}`);
    expect(refusal('state_getStorage', '[{}]', 'polkadot-sdk')).toMatch(
      /^invalid type: map, expected a \(both/,
    );
  });

  /**
   * The errors for a list or an object in place of a parameter of each kind. No method has texts of its own.
   */
  const expected: Readonly<Record<string, string>> = {
    bytes: hex,
    hash,
    u32: 'u32',
    boolean: 'a boolean',
    text: 'a string',
    account: 'a string',
  };
  const native = /^(author|babe|chain|childstate|engine|grandpa|offchain|payment|state|sync_state|system)_/;
  const plain = [...routes.values()]
    .filter((route) => route.kind !== 'unsubscribe' && native.test(route.method))
    .flatMap(({ method }) => {
      const route = routes.get(method);
      if (route === undefined || route.kind === 'unsubscribe') return [];
      return Object.entries(route.entry.params).map(([name, { kind }]) => [method, name, kind] as const);
    });

  it.each(plain.filter(([, , kind]) => kind in expected))('%s {%s: {}}, of kind %s', (method, name, kind) => {
    const text = refusal(method, `{"${name}":{}}`);
    if (/storageKind|kind/.test(name)) expect(text).toBe('expected value');
    else expect(text).toBe(`invalid type: map, expected ${name === 'set_id' ? 'u64' : expected[kind]}`);
  });
});
