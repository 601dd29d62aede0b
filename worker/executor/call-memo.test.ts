import { blake2b } from '@noble/hashes/blake2.js';
import { expect, test } from 'vitest';
import { bytesToText, textToBytes } from '../bytes/bytes.ts';
import { type Backend, createEmptyBackend } from '../state/backend.ts';
import { mainChanges } from '../state/changes.ts';
import { createNodeMap } from '../trie/node-source.ts';
import { createCallMemo } from './call-memo.ts';
import type { Runtime } from './runtime.ts';
import type { ApiTarget } from './runtime-api.ts';

const t = textToBytes;
const blake2b256 = (data: Uint8Array): Uint8Array => blake2b(data, { dkLen: 32 });
const stateOf = (pairs: Record<string, string>): Backend => {
  const source = createNodeMap();
  const changes = mainChanges(Object.entries(pairs).map(([key, value]) => [t(key), t(value)] as const));
  const { backend, nodes } = createEmptyBackend({ blake2b256, source }).commit(changes, 1);
  source.add(nodes);
  return backend;
};
const runtime = {} as Runtime;

/** A call that is counted. */
const counted = (read: (target: ApiTarget) => string) => {
  const count = { calls: 0 };
  const ask = createCallMemo((target) => {
    count.calls++;
    return read(target);
  });
  return { ask, count };
};
const valueAt = ({ overlay }: ApiTarget, key: string): string =>
  bytesToText(overlay.get(t(key)) ?? t('none'));

test('a result is used again while all values it read are the same, in any state', () => {
  const { ask, count } = counted((target) =>
    valueAt(target, 'a') === '1' ? `1 ${valueAt(target, 'b')}` : valueAt(target, 'c'),
  );
  const cases: [Record<string, string>, string, number][] = [
    [{ a: '1', b: '2' }, '1 2', 1],
    [{ a: '1', b: '2', c: '3' }, '1 2', 1],
    [{ a: '1' }, '1 none', 2],
    [{ a: '1', d: '4' }, '1 none', 2],
    [{ a: '1', b: '' }, '1 ', 3],
    [{ a: '2', b: '', c: '3' }, '3', 4],
    [{ a: '2', b: '5', c: '3' }, '3', 4],
    [{ a: '2', c: '4' }, '4', 5],
  ];
  for (const [pairs, result, calls] of cases) {
    expect(ask({ backend: stateOf(pairs), runtime })).toBe(result);
    expect(count.calls).toBe(calls);
  }
});

test('another runtime is called', () => {
  const { ask, count } = counted((target) => valueAt(target, 'a'));
  const backend = stateOf({ a: '1' });
  ask({ backend, runtime });
  ask({ backend, runtime: {} as Runtime });
  expect(count.calls).toBe(2);
});

test('reads of more than single values, and trial reads, are never used again', () => {
  const reads: ((target: ApiTarget) => unknown)[] = [
    ({ overlay }) => overlay.exists(t('a')),
    ({ overlay }) => overlay.nextKey(t('a')),
    ({ overlay }) => overlay.childGet(t('c'), t('a')),
    ({ overlay }) => overlay.clearPrefix(t('x'), null, null),
    ({ overlay }) => overlay.root(1),
  ];
  for (const read of reads) {
    const { ask, count } = counted((target) => {
      read(target);
      return valueAt(target, 'a');
    });
    const backend = stateOf({ a: '1', b: '2' });
    for (let i = 0; i < 2; i++) ask({ backend, runtime });
    expect(count.calls, String(read)).toBe(2);
  }
  const { ask, count } = counted((target) => valueAt(target, 'a'));
  const backend: Backend = { ...stateOf({ a: '1' }), isTrial: true };
  for (let i = 0; i < 2; i++) ask({ backend, runtime });
  expect(count.calls).toBe(2);
});

test('an error is thrown and not kept', () => {
  const { ask, count } = counted((target) => {
    if (valueAt(target, 'a') === '1') throw new Error('refused');
    return 'fine';
  });
  for (let i = 0; i < 2; i++) expect(() => ask({ backend: stateOf({ a: '1' }), runtime })).toThrow('refused');
  expect(ask({ backend: stateOf({ a: '2' }), runtime })).toBe('fine');
  expect(count.calls).toBe(3);
});
