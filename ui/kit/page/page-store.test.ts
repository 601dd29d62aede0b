import { describe, expect, it } from 'vitest';
import { createPageStore, type PageStore } from './page-store.ts';

const createFake = (room: number): PageStore & { readonly texts: Map<string, string> } => {
  const texts = new Map<string, string>();
  return {
    texts,
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, value) => {
      if (value.length > room) throw new DOMException('full', 'QuotaExceededError');
      texts.set(key, value);
    },
    removeItem: (key) => void texts.delete(key),
  };
};

describe('the store of a page', () => {
  it('is the browser’s, as long as that works', () => {
    const fake = createFake(10);
    const store = createPageStore(() => fake);
    store.setItem('a', '1');
    expect([...fake.texts]).toEqual([['a', '1']]);
    expect([store.getItem('a'), store.getItem('b')]).toEqual(['1', null]);
    store.removeItem('a');
    expect([store.getItem('a'), fake.texts.size]).toEqual([null, 0]);
  });

  it('holds values that do not fit, and stores them once they do', () => {
    const fake = createFake(3);
    const store = createPageStore(() => fake);
    store.setItem('a', 'old');
    store.setItem('a', 'longer');
    expect([store.getItem('a'), fake.texts.get('a')]).toEqual(['longer', 'old']);
    store.setItem('a', 'new');
    expect([store.getItem('a'), fake.texts.get('a')]).toEqual(['new', 'new']);
  });

  it('works if the browser denies all access', () => {
    const store = createPageStore(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    expect(store.getItem('a')).toBeNull();
    store.setItem('a', '1');
    expect(store.getItem('a')).toBe('1');
    store.removeItem('a');
    expect(store.getItem('a')).toBeNull();
  });
});
