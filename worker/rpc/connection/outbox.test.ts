import { expect, it } from 'vitest';
import { createOutbox } from './outbox.ts';

it('notifications leave with the tick, or at once when they are flushed; each leaves once and in order', async () => {
  const sent: unknown[] = [];
  const outbox = createOutbox({ send: (text) => sent.push(text), sendAll: (texts) => sent.push(texts) });
  outbox.notify('1');
  expect(sent).toEqual([]);
  outbox.notify('2');
  outbox.flush();
  expect(sent).toEqual([['1', '2']]);
  outbox.notify('3');
  await Promise.resolve();
  expect(sent).toEqual([['1', '2'], '3']);
  outbox.notify('4');
  outbox.close();
  outbox.flush();
  expect(sent).toHaveLength(2);
});
