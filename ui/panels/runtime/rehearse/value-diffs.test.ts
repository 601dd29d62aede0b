import { expect, it } from 'vitest';
import { valueDiffs } from './value-diffs.ts';

const rows = (before: unknown, after: unknown) =>
  valueDiffs(before, after).map(({ name, before: old, after: now }) => [name, old, now]);

it('lists the fields that differ by their path', () => {
  const account = { nonce: 1, data: { free: '5', flags: [1] } };
  expect(
    rows(
      { system: { account: { bob: account } }, sudo: { key: 'alice' } },
      {
        system: { account: { bob: { ...account, data: { free: '7', flags: [1, 2] } } } },
        sudo: { key: 'bob' },
      },
    ),
  ).toEqual([
    ['system.account.bob.data.free', '5', '7'],
    ['system.account.bob.data.flags', '[1]', '[1,2]'],
    ['sudo.key', 'alice', 'bob'],
  ]);
});

it('lists a value that only one side has whole, and values that nothing describes by their key', () => {
  expect(
    rows(
      { system: { account: { bob: null } }, '0x12': '0x01' },
      { system: { account: { bob: { free: 1n } } } },
    ),
  ).toEqual([
    ['system.account.bob', null, '{"free":1}'],
    ['0x12', '0x01', null],
  ]);
  expect(rows({}, { sudo: { key: 'bob' } })).toEqual([['sudo.key', null, 'bob']]);
});
