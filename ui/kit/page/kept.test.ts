import { expect, it } from 'vitest';
import { readKeptList } from './kept.ts';

type Entry = { readonly id: string };
const isEntry = (value: unknown): value is Entry =>
  typeof (value as { readonly id?: unknown } | null)?.id === 'string';

/** A store with one text, or without room for another. */
const storeOf = (text: string | null, isFull = false) => {
  const texts = new Map(text === null ? [] : [['list', text]]);
  const store = {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (isFull) throw new DOMException('full', 'QuotaExceededError');
      texts.set(key, value);
    },
  } as unknown as Storage;
  return { store, texts };
};

it('reads the members of a list, the last of those with one id', () => {
  const { store, texts } = storeOf('[{"id":"a","n":1},{"id":"b"},{"id":"a","n":2}]');
  expect(readKeptList(store, 'list', isEntry)).toEqual([{ id: 'a', n: 2 }, { id: 'b' }]);
  expect([...texts.keys()]).toEqual(['list']);
  expect(readKeptList(storeOf(null).store, 'list', isEntry)).toBeNull();
});

it.each(['', 'no JSON', '{"a":1}', '"\u0000"', 'null', '1e999', '[[[]]', '{"a":'])(
  'sets %j aside, which is no list',
  (text) => {
    const { store, texts } = storeOf(text);
    expect(readKeptList(store, 'list', isEntry)).toBeNull();
    expect(texts.get('list.broken')).toBe(text);
  },
);

it.each(['[{"id":5}]', '[null,{"id":"a"}]', '[1,{"id":"a"},[]]'])(
  'reads what can be read of %j, and sets a copy aside, if there is room',
  (text) => {
    const { store, texts } = storeOf(text);
    const members = readKeptList(store, 'list', isEntry);
    expect(members).toEqual(text.includes('"a"') ? [{ id: 'a' }] : []);
    expect(texts.get('list.broken')).toBe(text);
    expect(readKeptList(storeOf(text, true).store, 'list', isEntry)).toEqual(members);
  },
);
