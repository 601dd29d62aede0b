import { expect, it } from 'vitest';
import { isSecretCall } from './secret-calls.ts';

it('a method is one of the table only by its own name', () => {
  expect(isSecretCall('author_insertKey', [])).toBe(true);
  expect(isSecretCall('system_name', ['seed'])).toBe(false);
  // What any object has.
  for (const method of ['constructor', 'toString', '__proto__', 'hasOwnProperty'])
    expect([isSecretCall(method, []), isSecretCall(method, [{ seed: '//Alice' }])]).toEqual([false, true]);
});
