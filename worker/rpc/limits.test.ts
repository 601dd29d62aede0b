import { describe, expect, it } from 'vitest';
import type { CustomHandler } from '../../src/protocol/custom.ts';
import { maxInFlight, maxItemsHeld } from '../../src/protocol/limits.ts';
import { connect } from './connection/fake-connection.fixture.ts';
import { createSubscriptions } from './connection/subscriptions.ts';
import type { CustomTable } from './custom.ts';

const own = (name: string, call: CustomHandler): { readonly custom: CustomTable } => ({
  custom: new Map([[name, { name, doc: '', safety: 'safe', call }]]),
});

const request = (id: number, method: string): string => `{"jsonrpc":"2.0","id":${id},"method":"${method}"}`;

describe('a batch', () => {
  it('yields after each entry that ends its slice, whether it was answered synchronously or later', async () => {
    const turns: number[] = [];
    let answered = 0;
    const startPace = () => ({
      isDue: () => true,
      pause: async () => {
        await new Promise(setImmediate);
        turns.push(answered);
      },
    });
    const { connection } = connect({}, { startPace, ...own('own_one', async () => ++answered) });
    const texts = Array.from({ length: 500 }, (_, id) =>
      request(id, id % 2 === 0 ? 'own_one' : 'system_name'),
    );
    const answer = JSON.parse((await connection.handle(`[${texts}]`)) ?? '[]') as { id: number }[];
    expect(answer.map(({ id }) => id)).toEqual(texts.map((_, id) => id));
    expect(turns).toEqual(texts.map((_, id) => Math.floor(id / 2) + 1));
  });

  it("lets other tasks run at the server's real pace", async () => {
    let isOver = false;
    let turns = 0;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    const busy = async (): Promise<null> => {
      for (const end = performance.now() + 5; performance.now() < end; );
      return null;
    };
    const { connection } = connect({}, own('own_busy', busy));
    setImmediate(count);
    await connection.handle(`[${Array.from({ length: 20 }, (_, id) => request(id, 'own_busy'))}]`);
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(15);
  });
});

it('a connection refuses calls while too many are pending, and accepts them again afterwards', async () => {
  const waiting: (() => void)[] = [];
  const call = () => new Promise<void>((resolve) => waiting.push(resolve));
  const { connection, sent } = connect({}, own('own_wait', call));
  for (let id = 0; id < maxInFlight; id++) connection.receive(request(id, 'own_wait'));
  expect(sent).toEqual([]);
  const refused =
    '{"jsonrpc":"2.0","id":7,"error":{"code":-32009,"message":"Server is busy, try again later"}}';
  connection.receive(request(7, 'system_name'));
  expect(sent).toEqual([refused]);
  for (const resolve of waiting) resolve();
  await expect.poll(() => sent.length).toBe(1 + maxInFlight);
  expect(await connection.handle(request(8, 'system_name'))).toContain('"result":"Judge Node"');
});

it('a subscription whose response is not sent reports that it is behind, and is dropped when too many items are held back', () => {
  const sent: unknown[] = [];
  const subscriptions = createSubscriptions({
    createId: () => 'id',
    notify: (_event, _id, item) => sent.push(item),
    flush: () => undefined,
    isBlocked: () => false,
  });
  const opened = subscriptions.open('some_subscribe', { event: 'some' });
  let stopped = 0;
  opened.started(() => {
    stopped += 1;
  });
  expect(opened.sink.isBlocked()).toBe(false);
  for (let item = 0; item < maxItemsHeld; item++) opened.sink.emit(item);
  expect([opened.sink.isBlocked(), stopped]).toEqual([true, 0]);
  opened.sink.emit('one more');
  expect([stopped, subscriptions.count()]).toEqual([1, 0]);
  opened.announced();
  expect(sent).toEqual([]);
});
