import { expect, it } from 'vitest';
import { createCallLog } from './call-log.ts';

const logOf = (count: number) => {
  const log = createCallLog();
  for (let index = 0; index < count; index++) log.add({ level: 2, target: 't', message: `${index}` });
  return log.entries('Some_call').map(({ message }) => message);
};
const upTo = (count: number): string[] => Array.from({ length: count }, (_, index) => `${index}`);

it('keeps all lines of a call that logs little', () => {
  expect(logOf(0)).toEqual([]);
  expect(logOf(500)).toEqual(upTo(500));
  expect(logOf(501)).toEqual(upTo(501));
});

it('keeps the first lines and the last one of a call that logs much, and counts the rest', () => {
  expect(logOf(600)).toEqual([...upTo(500), 'Some_call: 99 more lines', '599']);
});

it('truncates long texts', () => {
  const log = createCallLog();
  log.add({ level: 0, target: 'y'.repeat(100_000), message: 'x'.repeat(100_000) });
  const [entry] = log.entries('Some_call');
  expect([entry?.target.length, entry?.message.length]).toEqual([16_385, 16_385]);
});
