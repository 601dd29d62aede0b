import { describe, expect, test } from 'vitest';
import { parseList } from '../../kit/page/kept.ts';
import { writeArgs } from '../../kit/text/call-text.ts';
import { createMethodFinder } from '../../node/client/method-info.ts';
import { readNumberArg, textFault, withMember } from '../../values/call/arg-text.ts';
import { fieldKind, membersOf, wordsOf } from '../../values/call/field-kind.ts';
import { losses } from './destructive.ts';
import { type CallEntry, stateOf } from './history/call-entry.ts';
import { capCalls, isKept, maxBody, maxCalls, maxStored, textOf, toStored } from './history/kept-calls.ts';
import { filterGroups, groupMethods } from './methods/method-groups.ts';
import { dryRunOf, storedOf } from './result/stored.ts';

const find = createMethodFinder();
const writeCalls = (entries: readonly CallEntry[]) => `[${toStored(entries).map(textOf).join()}]`;
const readCalls = (text: string) => (parseList(text) ?? []).filter(isKept);
const entry = (id: number, change: Partial<CallEntry> = {}): CallEntry => ({
  id,
  method: 'system_chain',
  params: '',
  state: 'ok',
  atMs: 1,
  ms: 2,
  sizeBytes: 3,
  answer: { kind: 'whole', value: 'x' },
  count: 0,
  label: '',
  starred: false,
  ...change,
});

describe('methods', () => {
  test('aliases and unsubscribe methods fold under their method; unknown methods stay', () => {
    const groups = groupMethods(
      [
        'chain_getHead',
        'chain_getBlockHash',
        'chain_subscribeNewHeads',
        'chain_unsubscribeNewHeads',
        'my_sum',
        'rpc.discover',
      ],
      find,
    );
    expect(groups.map(({ name }) => name)).toEqual(['chain', 'my', 'rpc']);
    expect(groups[0]?.rows.map(({ method, folded }) => [method, folded])).toEqual([
      ['chain_getBlockHash', ['chain_getHead']],
      ['chain_subscribeNewHeads', ['chain_unsubscribeNewHeads']],
    ]);
    expect(groups[1]?.rows[0]?.info).toBeNull();
    // An alias without its method has a row of its own.
    expect(groupMethods(['chain_getHead'], find)[0]?.rows[0]?.method).toBe('chain_getHead');
    expect(filterGroups(groups, 'gethead').flatMap(({ rows }) => rows.map(({ method }) => method))).toEqual([
      'chain_getBlockHash',
    ]);
  });

  test('each destructive method is in the table', () => {
    expect(Object.keys(losses).filter((method) => find(method) === null)).toEqual([]);
  });
});

describe('arguments', () => {
  test('missing ones are null in the middle and left out at the end', () => {
    expect(writeArgs([undefined, 1, undefined])).toBe('[null, 1]');
    expect(writeArgs([undefined])).toBe('');
    expect(writeArgs([2n ** 80n])).toBe('[1208925819614629174706176]');
  });

  test('a number field reads numbers and lists, and keeps the rest as text', () => {
    expect(['', '12', '-1', '0x1', '[0, 1]', '[0,', '99999999999999999999'].map(readNumberArg)).toEqual([
      undefined,
      12,
      -1,
      '0x1',
      [0, 1],
      '[0,',
      '99999999999999999999',
    ]);
  });

  test('a form refuses text for a number or a block, even inside an object', () => {
    const faultOf = (method: string, value: unknown) => {
      const param = find(method)?.params[0];
      return param === undefined ? 'no parameter' : textFault(param, readNumberArg(String(value)));
    };
    for (const text of ['', '5', '0x1f', '[0, 1]', '99999999999999999999'])
      expect(faultOf('chain_getBlockHash', text)).toBeNull();
    for (const text of ['abc', '5.5', '1,000', '[0,', '0x', 'five'])
      expect(faultOf('chain_getBlockHash', text)).toBe('Enter a whole number, or hex with 0x.');
    const block = find('chain_getHeader')?.params[0];
    if (block === undefined) throw new Error('no parameter');
    expect(textFault(block, 'abc')).toBe('Enter a block number or a hash.');
    expect(textFault(block, '')).toBe('Enter a block number or a hash.');
    expect(textFault(block, '99')).toBe('No block #99 was found.');
    expect(textFault(block, `0x${'ab'.repeat(32)}`)).toBeNull();
    const object = find('dev_newBlock')?.params[0];
    if (object === undefined) throw new Error('no parameter');
    expect(textFault(object, { count: 'abc' })).toBe('Enter a whole number, or hex with 0x.');
    expect(textFault(object, { count: 2 })).toBeNull();
    // Dates are text.
    expect(faultOf('dev_timeTravel', '2030-01-01')).toBeNull();
  });

  test('inputs by kind: storage keys, other bytes, blocks', () => {
    const fieldOf = (method: string, index: number) => {
      const param = find(method)?.params[index];
      return param === undefined ? null : fieldKind(method, param);
    };
    expect(fieldOf('state_getStorage', 0)).toBe('key');
    expect(fieldOf('state_getStorage', 1)).toBe('block');
    expect(fieldOf('state_call', 1)).toBe('bytes');
    expect(fieldOf('dev_newBlock', 0)).toBe('object');
    expect(fieldOf('dev_setStorage', 0)).toBe('json');
  });
});

describe('objects', () => {
  test.each([
    [
      'dev_newBlock',
      { count: 1, to: 9, parent: `0x${'00'.repeat(32)}`, transactions: ['0x00'], finalize: true },
    ],
    [
      'contracts_call',
      { origin: 'a', dest: 'b', value: 1, gasLimit: 1, storageDepositLimit: 1, inputData: '0x' },
    ],
  ])('the members of %s are those that the node accepts', (method, all) => {
    const info = find(method);
    const kind = info?.params[0]?.kind;
    expect(kind && membersOf(kind).map(({ name }) => name)).toEqual(Object.keys(all));
    expect(info?.check([all])).toEqual([]);
    expect(info?.check([{ ...all, another: 1 }])).toHaveLength(1);
  });

  test.each(['dev_exportChain', 'dev_setFinality'])(
    'the words of %s are those that the node accepts',
    (method) => {
      const info = find(method);
      const words = info?.params[0] === undefined ? [] : wordsOf(info.params[0].kind);
      expect(words.length).toBeGreaterThan(1);
      expect(words.flatMap((word) => info?.check([word]) ?? [])).toEqual([]);
      expect(info?.check(['another'])).toHaveLength(1);
    },
  );

  test('a member is set and removed', () => {
    expect(withMember(undefined, 'count', 2)).toEqual({ count: 2 });
    expect(withMember({ count: 2, to: 3 }, 'count', undefined)).toEqual({ to: 3 });
    expect(withMember({ to: 3 }, 'to', undefined)).toBeUndefined();
  });
});

describe('the history', () => {
  test('200 calls are kept, and the favorites in addition', () => {
    const entries = Array.from({ length: 300 }, (_, index) => entry(300 - index, { starred: index === 299 }));
    const kept = capCalls(entries);
    expect(kept).toHaveLength(maxCalls + 1);
    expect(kept.at(-1)?.starred).toBe(true);
  });

  test('an answer is serialized once, however often the calls are written', () => {
    let reads = 0;
    const value = {
      get a() {
        reads += 1;
        return 1;
      },
    };
    const big = entry(1, { answer: { kind: 'whole', value } });
    const first = writeCalls([big]);
    const before = reads;
    expect(before).toBeGreaterThan(0);
    // As after a notification of a subscription.
    expect(readCalls(writeCalls([entry(2), big]))).toHaveLength(2);
    expect(reads).toBe(before);
    expect(writeCalls([big])).toBe(first);
  });

  test('only warnings have the color of warnings: a call that runs or a subscription has none', () => {
    for (const state of ['pending', 'open'] as const)
      expect(stateOf(entry(1, { state })).tone).toBe('accent');
  });

  test('answers are cut, big integers kept, running calls ended, and invalid entries left out', () => {
    const text = writeCalls([
      entry(3, { state: 'pending', answer: { kind: 'none' } }),
      entry(2, { answer: { kind: 'whole', value: 'y'.repeat(maxBody) } }),
      entry(1, { answer: { kind: 'whole', value: 2n ** 70n } }),
    ]);
    const [pending, long, big] = readCalls(text);
    expect(pending?.state).toBe('unanswered');
    expect(long?.answer.kind === 'cut' && long.answer.text.length).toBe(maxBody);
    expect(big?.answer).toEqual({ kind: 'whole', value: 2n ** 70n });
    expect([pending, long, big].map((one) => one?.id)).toEqual([3, 2, 1]);
    expect(readCalls('{')).toEqual([]);
    expect(readCalls('[1, {"method": "a"}, null]')).toEqual([]);
  });

  test('what is stored is bounded: the oldest answers are left out', () => {
    const value = 'y'.repeat(maxBody - 2);
    const entries = Array.from({ length: 200 }, (_, index) =>
      entry(200 - index, { answer: { kind: 'whole', value } }),
    );
    const text = writeCalls(entries);
    expect(text.length).toBeLessThan(maxStored * 1.1);
    const kept = readCalls(text);
    expect(kept).toHaveLength(200);
    expect([kept[0]?.answer.kind, kept.at(-1)?.answer.kind]).toEqual(['whole', 'none']);
  });

  test('only a stored value can be decoded', () => {
    const of = (method: string, params: string, value: unknown, best?: string) =>
      storedOf({ method, params, ...(best && { best }) }, find(method), value);
    expect(of('state_getStorage', '["0x3A", null]', '0x01')).toEqual({
      key: '0x3a',
      hash: null,
      hex: '0x01',
    });
    expect(of('state_getStorage', '["0x3a"]', null)).toBeNull();
    expect(of('state_call', '["a", "0x"]', '0x01')).toBeNull();
    // The block that the call names, also by name and in another order; else the best block of its time.
    expect(of('state_getStorage', '{"hash": "0xaa", "key": "0x3a"}', '0x01', '0xbb')?.hash).toBe('0xaa');
    expect(of('state_getStorageAt', '["0x3a", "0xaa"]', '0x01', '0xbb')?.hash).toBe('0xaa');
    expect(of('state_getStorage', '["0x3a"]', '0x01', '0xbb')?.hash).toBe('0xbb');
    const dryRun = { method: 'system_dryRun', params: '["0x00"]', best: '0xbb' };
    expect(dryRunOf(dryRun, find('system_dryRun'), '0x0000')?.hash).toBe('0xbb');
  });
});
