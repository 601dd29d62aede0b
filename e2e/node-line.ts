import type { Page } from '@playwright/test';

/**
 * Lets a test speak to the node of the app over the page's own JSON-RPC port. The port is found by the first text that
 * goes through it, so this comes before `goto`.
 */
export const openLine = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const post = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (this: MessagePort, ...args: unknown[]) {
      if (typeof args[0] === 'string' && args[0].includes('"jsonrpc"'))
        Object.assign(window, { testLine: this });
      return (post as (...all: unknown[]) => void).apply(this, args);
    };
  });
};

/** Asks the node of the page; throws what it refuses with. */
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
