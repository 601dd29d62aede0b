import { expect, test } from 'vitest';
import { readKeyFile } from './read-keys.ts';

test('reads a whole file of keys, or rejects it and names the invalid key', () => {
  expect(readKeyFile('{"0xAB01":"0x00","0xab02":null}', '0xab')).toEqual([
    ['0xab01', '0x00'],
    ['0xab02', null],
  ]);
  for (const [text, why] of [
    ['[]', /not a JSON object/],
    ['{}', /contains no keys/],
    ['{"ab":"0x"}', /“ab” is not a key/],
    ['{"0xcd":"0x"}', /another entry/],
    ['{"0xab":1}', /neither null nor 0x/],
    ['{"0xab":"0x0"}', /neither null nor 0x/],
    ['{', /JSON/],
  ] as const)
    expect(() => readKeyFile(text, '0xab')).toThrow(why);
});
