import { expect, it } from 'vitest';
import { editedKeys } from './read-edit.ts';
import type { KeyDiff } from './state-diff.ts';

const diff = (key: string, hex: string | null) => ({ key, after: { hex } }) as KeyDiff;
const write = (key: string, method: string, encoded: string) => ({
  target: 'state',
  parentId: null,
  data: { stringValues: { key, method, value_encoded: encoded } },
});

it('keys whose value the block did not write itself count as edited', () => {
  const long = 'ab'.repeat(600);
  const diffs = [
    diff('0xaa', '0x01'),
    diff('0xbb', '0x02'),
    diff('0xcc', null),
    diff('0xdd', null),
    diff('0xee', `0x${long}`),
    diff('0xff', '0x0405'),
  ];
  const writes = [
    write('aa', 'Put', '0109'),
    write('aa', 'Put', '0101'),
    write('bb', 'Put', '0103'),
    write('cc', 'Put', '00'),
    write('ee', 'Put', `01${long.slice(0, 1022)}...${long.slice(-1024)}`),
    write('ff', 'Append', ''),
  ];
  expect(editedKeys(diffs, writes).map(({ key }) => key)).toEqual(['0xbb', '0xdd']);
});
