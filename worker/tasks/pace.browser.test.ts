import { expect, it } from 'vitest';
import { yieldNow } from './pace.ts';

it('each turn runs all earlier tasks first', async () => {
  const { port1, port2 } = new MessageChannel();
  let heard = 0;
  port1.onmessage = () => {
    heard += 1;
  };
  // The first turn may start while other messages of the same turn are pending.
  await yieldNow();
  for (let sent = 1; sent <= 50; sent++) {
    port2.postMessage(null);
    await yieldNow();
    expect(heard).toBeGreaterThanOrEqual(sent - 1);
  }
  port1.close();
});

it('turns resolve in order, each once, over one channel', async () => {
  const { MessageChannel } = globalThis;
  let channels = 0;
  globalThis.MessageChannel = class extends MessageChannel {
    constructor() {
      super();
      channels += 1;
    }
  };
  const order: number[] = [];
  const turns = Array.from({ length: 200 }, (_, index) => yieldNow().then(() => order.push(index)));
  await Promise.all(turns);
  globalThis.MessageChannel = MessageChannel;
  expect(order).toEqual(turns.map((_, index) => index));
  expect(channels).toBe(0);
});
