import { expect, it } from 'vitest';
import { createClosers } from './closers.ts';

const closing = (...failing: readonly string[]) => {
  const closers = createClosers();
  const closed: string[] = [];
  for (const name of ['first', 'second', 'third'])
    closers.add(async () => {
      closed.push(name);
      if (failing.includes(name)) throw new Error(name);
    });
  return { closers, closed };
};

it('closes the newest first, and each once', async () => {
  const { closers, closed } = closing();
  await closers.closeAll();
  await closers.closeAll();
  expect(closed).toEqual(['third', 'second', 'first']);
});

it('closes the others when one fails, then rejects with its error', async () => {
  const { closers, closed } = closing('second');
  await expect(closers.closeAll()).rejects.toThrow('second');
  expect(closed).toEqual(['third', 'second', 'first']);
});

it('rejects with all errors', async () => {
  const { closers, closed } = closing('first', 'third');
  await expect(closers.closeAll()).rejects.toMatchObject({
    errors: [{ message: 'third' }, { message: 'first' }],
  });
  expect(closed).toHaveLength(3);
});
