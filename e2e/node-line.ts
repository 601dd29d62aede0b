import type { Page } from '@playwright/test';

/** Calls of one method that are held back from the node. */
type Held = { method: string; refused: boolean; readonly waiting: ((refused: boolean) => void)[] };

/**
 * Lets a test call the app's node over the page's own JSON-RPC port. The port is detected from the first text
 * sent through it, so call this before `goto`.
 */
export const openLine = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const post = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (this: MessagePort, ...args: unknown[]) {
      const send = (...all: unknown[]) => (post as (...all: unknown[]) => void).apply(this, all);
      const [text] = args;
      if (typeof text !== 'string' || !text.includes('"jsonrpc"')) return send(...args);
      const { testHeld } = Object.assign(window, { testLine: this }) as { testHeld?: Held };
      if (testHeld === undefined || !text.includes(`"method":"${testHeld.method}"`)) return send(...args);
      const { method } = testHeld;
      const end = (refused: boolean) => send(refused ? text.replace(method, `test_no_${method}`) : text);
      if (testHeld.refused) end(true);
      else testHeld.waiting.push(end);
    };
  });
};

/** Calls the page's node; throws its error. */
export const ask = async <T>(page: Page, method: string, ...params: readonly unknown[]): Promise<T> => {
  await page.waitForFunction(() => 'testLine' in window);
  const answer = await page.evaluate(
    ([name, given]) =>
      new Promise<string>((resolve) => {
        const port = (window as unknown as { testLine: MessagePort }).testLine;
        const id = `test-${Math.random()}`;
        const listen = ({ data }: MessageEvent): void => {
          const texts: unknown[] = Array.isArray(data) ? data : [data];
          const found = texts.find((text) => typeof text === 'string' && text.includes(`"id":"${id}"`));
          if (found === undefined) return;
          port.removeEventListener('message', listen);
          resolve(String(found));
        };
        port.addEventListener('message', listen);
        port.postMessage(JSON.stringify({ jsonrpc: '2.0', id, method: name, params: given }));
      }),
    [method, params] as const,
  );
  const { result, error } = JSON.parse(answer) as { result?: T; error?: unknown };
  if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result as T;
};

/** From now on, calls of this method are held back, until `refuseHeld`, `letGo` or `release`. */
export const hold = (page: Page, method: string): Promise<unknown> =>
  page.evaluate(
    (held) => Object.assign(window, { testHeld: { method: held, refused: false, waiting: [] } }),
    method,
  );

/** The calls held back, and all further ones, fail: the node does not have the method they are changed to. */
export const refuseHeld = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { testHeld } = window as unknown as { testHeld: Held };
    testHeld.refused = true;
    for (const end of testHeld.waiting.splice(0)) end(true);
  });

/** Further calls pass; those held back stay so until `letGo`. */
export const holdNoMore = (page: Page): Promise<void> =>
  page.evaluate(() => {
    (window as unknown as { testHeld: Held }).testHeld.method = 'none';
  });

/** Sends the calls held back to the node. */
export const letGo = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { testHeld } = window as unknown as { testHeld: Held };
    for (const end of testHeld.waiting.splice(0)) end(false);
  });

/** Sends all further calls to the node again. */
export const release = (page: Page): Promise<void> =>
  page.evaluate(() => {
    (window as unknown as { testHeld: Held | undefined }).testHeld = undefined;
  });
