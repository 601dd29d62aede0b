import { beforeAll, expect, it } from 'vitest';
import { fromHex } from '../../src/scale/hex.ts';
import { createRuntimeMeta } from '../../src/scale/runtime.ts';
import type { LookupEntry, RuntimeMeta } from '../../src/scale/types.ts';
import { createTestPlatform, testConfig } from '../../test/rigs/platform.ts';
import { openPort } from '../../test/rigs/ports.ts';
import { createNode } from '../../worker/node.ts';
import { suggestAt } from '../kit/json/json-suggest.ts';
import { valueSchema } from './value-schema.ts';

let meta: RuntimeMeta;
let call: LookupEntry;

beforeAll(async () => {
  const node = await createNode(createTestPlatform(), testConfig('development'));
  meta = createRuntimeMeta(fromHex(String(await openPort(node).request('state_getMetadata', []))));
  await node.close();
  if (meta.callType === null) throw new Error('no call');
  call = meta.lookup(meta.callType);
});

/** What is suggested at `|` in the JSON of a call. */
const suggested = (marked: string) => {
  const accounts = [{ name: 'Alice', value: '5Grw' }];
  const at = marked.indexOf('|');
  return suggestAt(valueSchema(call, accounts), marked.replace('|', ''), at)?.list ?? [];
};
const labels = (marked: string) => suggested(marked).map(({ label }) => label);

it('suggests pallets, calls, arguments and accounts by the types of the runtime', () => {
  expect(labels('{"|')).toEqual(expect.arrayContaining(['System', 'Balances', 'Utility']));
  expect(labels('{"Balances": {|')).toContain('transfer_keep_alive');
  expect(labels('{"Balances": {"transfer_keep_alive": {"dest": 1, |')).toEqual(['value']);
  expect(labels('{"Balances": {"transfer_keep_alive": {"dest": {"Id": "|')).toEqual(['Alice']);
});

it('suggests calls in calls, however deep, although the type contains itself', () => {
  const inner = '{"Utility": {"batch_all": {"calls": [';
  expect(labels(`${inner.repeat(4)}{"|`)).toEqual(labels('{"|'));
});

it('says what a field takes, and what its docs say', () => {
  const [dest, value] = suggested('{"Balances": {"transfer_keep_alive": {|');
  expect([dest?.detail, value?.detail]).toEqual(['object, required', 'u128, required']);
  const transfer = suggested('{"Balances": {|').find(({ label }) => label === 'transfer_keep_alive');
  expect(transfer?.info).toContain('transfer_allow_death');
  expect(suggested('{"System": {"remark": {|')[0]?.detail).toBe('bytes, required');
});
