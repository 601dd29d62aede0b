import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/protocol/json.ts';
import type { Dialect } from '../../src/protocol/node.ts';
import { createRoutes, rpcTable } from '../../src/protocol/rpc/index.ts';
import { readArguments } from './arguments.ts';
import { dialects } from './dialects/psp6.ts';

// The texts are serde_json's `Display` output for the visitors of impl-serde and the standard types.

const routes = createRoutes(rpcTable);
const refusal = (method: string, params: string, dialect: Dialect = 'polkadot-sdk'): unknown => {
  const route = routes.get(method);
  if (route === undefined || route.kind === 'unsubscribe') throw new Error(method);
  const read = readArguments(route.entry, { params: parseJson(params) }, dialects[dialect]);
  return read.ok ? null : read.error.data;
};

const hex = 'a (both 0x-prefixed or not) hex string or byte array';
const hash = `${hex} containing 32 bytes`;
const column = (n: number): string => `at line 1 column ${n}`;
const h = `"0x${'ab'.repeat(32)}"`;

describe("errors worded like the native decoder's", () => {
  it.each([
    // Numbers: what counts as an integer, and how a float is printed.
    ['state_getKeysPaged', '["0x",1.5]', `invalid type: floating point \`1.5\`, expected u32 ${column(3)}`],
    [
      'state_getKeysPaged',
      '["0x",1e300]',
      `invalid type: floating point \`1e300\`, expected u32 ${column(6)}`,
    ],
    [
      'state_getKeysPaged',
      '["0x",18446744073709551616]',
      `invalid type: floating point \`1.8446744073709552e19\`, expected u32 ${column(20)}`,
    ],
    [
      'state_getKeysPaged',
      '["0x",18446744073709551615]',
      `invalid value: integer \`18446744073709551615\`, expected u32 ${column(20)}`,
    ],
    ['state_getKeysPaged', '["0x",true]', `invalid type: boolean \`true\`, expected u32 ${column(4)}`],
    ['state_getKeysPaged', '["0x",null]', `invalid type: null, expected u32 ${column(4)}`],
    ['state_getKeysPaged', '["0x",[1]]', `invalid type: sequence, expected u32 ${column(0)}`],
    ['state_getKeysPaged', '["0x",{}]', `invalid type: map, expected u32 ${column(0)}`],
    ['state_getKeysPaged', '[1e-7,1]', `invalid type: floating point \`1e-7\`, expected ${hex} ${column(4)}`],
    // Text: Rust's escapes, and columns that count bytes.
    [
      'engine_createBlock',
      '["a\\"\\u0007\\n\\\\"]',
      `invalid type: string "a\\"\\u{7}\\n\\\\", expected a boolean ${column(15)}`,
    ],
    ['engine_createBlock', '["é😀"]', `invalid type: string "é😀", expected a boolean ${column(8)}`],
    ['state_getStorage', '["0x1é"]', `invalid hex character: Ã, at 3 ${column(7)}`],
    ['chain_getHeader', '["éé"]', `invalid length 4, expected ${hash} ${column(6)}`],
    ['chain_getHeader', `["0x${'ab'.repeat(31)}zz"]`, `invalid hex character: z, at 64 ${column(68)}`],
    // Lists: an item's column counts from the start of the list.
    ['state_getReadProof', '[["0x01",5]]', `invalid type: integer \`5\`, expected ${hex} ${column(9)}`],
    ['state_getReadProof', '[["0x01",[5]]]', `invalid type: sequence, expected ${hex} ${column(8)}`],
    ['state_getReadProof', '[[5,[5]]]', `invalid type: integer \`5\`, expected ${hex} ${column(2)}`],
    ['state_queryStorage', `[["0x"],"zz"]`, `invalid length 2, expected ${hash} ${column(4)}`],
    ['author_removeExtrinsic', '[[{"hash":"0x12"}]]', `invalid length 2, expected ${hash} ${column(15)}`],
    [
      'author_removeExtrinsic',
      '[[{"extrinsic":"0x"},{"extrinsic":"zz"}]]',
      `invalid hex character: z, at 0 ${column(37)}`,
    ],
    ['author_removeExtrinsic', '[[5]]', `expected value ${column(2)}`],
    ['author_removeExtrinsic', '[[{}]]', `expected value ${column(3)}`],
    [
      'author_removeExtrinsic',
      '[[{"x":1}]]',
      `unknown variant \`x\`, expected \`hash\` or \`extrinsic\` ${column(5)}`,
    ],
    ['author_removeExtrinsic', '[5]', `invalid type: integer \`5\`, expected a sequence ${column(1)}`],
    [
      'engine_finalizeBlock',
      `[${h},"x"]`,
      `invalid type: string "x", expected a tuple of size 2 ${column(3)}`,
    ],
    [
      'engine_finalizeBlock',
      `[${h},[[1,2],[3]]]`,
      `invalid length 2, expected an array of length 4 ${column(6)}`,
    ],
    ['engine_finalizeBlock', `[${h},[[1,2,3,4,5],[3]]]`, `trailing characters ${column(11)}`],
    [
      'engine_finalizeBlock',
      `[${h},[[1,2,3,256],[3]]]`,
      `invalid value: integer \`256\`, expected u8 ${column(11)}`,
    ],
    [
      'engine_finalizeBlock',
      `[${h},[[1,2,3,4]]]`,
      `invalid length 1, expected a tuple of size 2 ${column(11)}`,
    ],
    [
      'engine_finalizeBlock',
      `[${h},[[1,2,3,4],"0x01"]]`,
      `invalid type: string "0x01", expected a sequence ${column(17)}`,
    ],
    ['mmr_generateProof', '[[1,"x"]]', `invalid type: string "x", expected u32 ${column(6)}`],
    ['mmr_verifyProof', '[{"leaves":"0x"}]', `missing field \`blockHash\` ${column(15)}`],
    ['mmr_verifyProof', '["x"]', `invalid type: string "x", expected struct LeavesProof ${column(3)}`],
    ['offchain_localStorageGet', '[{},"0x"]', `expected value ${column(2)}`],
    // Named parameters: the whole object is one text.
    ['chain_getHeader', '{"hash":"0x12"}', `invalid length 2, expected ${hash} ${column(14)}`],
    ['state_getStorage', '{"hash":null}', `missing field \`key\` ${column(13)}`],
    ['state_getStorage', '{}', `missing field \`key\` ${column(2)}`],
    [
      'state_getKeysPaged',
      '{"count":1,"startKey":7,"x":[1,{}],"prefix":"zz"}',
      `invalid type: integer \`7\`, expected ${hex} ${column(23)}`,
    ],
    [
      'state_getKeysPaged',
      '{"start_key":"0x","startKey":"0x"}',
      `duplicate field \`start_key\` ${column(28)}`,
    ],
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
    expect(refusal('state_getStorage', '[{}]', 'polkadot-sdk')).toMatch(/^invalid type: map, .* column 0$/);
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
    if (/storageKind|kind/.test(name)) expect(text).toBe(`expected value ${column(name.length + 6)}`);
    else if (name === 'set_id')
      expect(text).toBe(`invalid type: map, expected u64 ${column(name.length + 4)}`);
    else expect(text).toBe(`invalid type: map, expected ${expected[kind]} ${column(name.length + 4)}`);
  });
});
