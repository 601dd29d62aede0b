import { expect, it } from 'vitest';
import type { Connection } from '../../../src/connection.ts';
import { createTurns } from './index.ts';
import { submit } from './submit.ts';
import type { Context } from './tool.ts';

it('sends nothing for a client that disconnected while waiting for its turn', async () => {
  const sent: unknown[] = [];
  const connection = {
    subscribe: async (_method: string, [extrinsic]: readonly unknown[]) => {
      sent.push(extrinsic);
      return 'id';
    },
  } as unknown as Connection;
  const context = { connect: async () => connection, inTurn: createTurns() } as unknown as Context;
  const turn = Promise.withResolvers<void>();
  const other = context.inTurn(() => turn.promise);
  const waiting = new AbortController();
  const signing = new AbortController();
  const refused = [
    submit(context, async () => '0x01', 0, waiting.signal),
    submit(
      context,
      async () => {
        signing.abort();
        return '0x02';
      },
      0,
      signing.signal,
    ),
  ].map((one) => expect(one).rejects.toMatchObject({ code: 'Aborted' }));
  waiting.abort();
  turn.resolve();
  await Promise.all([other, ...refused]);
  expect(sent).toEqual([]);
});
