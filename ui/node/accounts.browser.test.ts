import { expect, it, onTestFinished } from 'vitest';
import { accountName, keepAccounts, readAccounts } from './accounts.ts';
import { Signers } from './tx/signers.svelte.ts';

const good = { name: 'Zoe', id: `0x${'5a'.repeat(32)}`, suri: null };
const stored = 'tabnode.accounts';

it('accounts that are stored damaged are left out, and copied aside', () => {
  onTestFinished(() => localStorage.clear());
  for (const text of ['{', '{}', '7', 'null']) {
    localStorage.setItem(stored, text);
    expect(new Signers().book, text).toEqual([]);
    expect(localStorage.getItem(`${stored}.broken`)).toBe(text);
  }
  const bad = [
    null,
    'Zoe',
    [],
    {},
    { ...good, id: '0x5A' },
    { ...good, id: [good.id] },
    { ...good, suri: '//Zoe' },
    { ...good, chains: 'all' },
    { ...good, json: 'x'.repeat(5000) },
  ];
  localStorage.setItem(stored, JSON.stringify([...bad, { ...good, name: undefined }, good]));
  expect(new Signers().book).toEqual([good]);
  expect(accountName(good.id)).toBe('Zoe');
  keepAccounts('accounts', [good, { ...good, name: 'Yan' }]);
  expect(readAccounts('accounts')).toEqual([{ ...good, name: 'Yan' }]);
});

it('an address book belongs to its chain; an account that two chains have is removed from one', () => {
  onTestFinished(() => localStorage.clear());
  const [one, other] = [new Signers(`0x${'01'.repeat(32)}`), new Signers(`0x${'02'.repeat(32)}`)];
  one.name('Zoe', good.id);
  expect([one.book.length, other.book.length]).toEqual([1, 0]);
  other.name('Zoe', good.id);
  one.forget(good.id);
  expect([one.book, other.book.map(({ name }) => name)]).toEqual([[], ['Zoe']]);
});

it('a full address book takes no more, and loses none', () => {
  onTestFinished(() => localStorage.clear());
  const signers = new Signers();
  const idOf = (index: number) => `0x${index.toString(16).padStart(64, '0')}`;
  for (let index = 0; index < 200; index++) signers.name(`Account ${index}`, idOf(index));
  expect(() => signers.name('One more', idOf(200))).toThrow('200 accounts');
  signers.name('First', idOf(0));
  expect(signers.book).toHaveLength(200);
});
