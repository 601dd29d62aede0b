import { expect, type Locator, type Page } from '@playwright/test';

export const number = '0x26aa394eea5630e07c48ae0c9558cef702a5c1b19ab7a04f536c519aca4983ac';
export const sub = (...calls: readonly (readonly [method: string, params: readonly unknown[]])[]): string =>
  `/#/live?sub=${encodeURIComponent(JSON.stringify(calls))}`;
export const heads = ['chain_subscribeNewHeads', []] as const;
export const finalized = ['chain_subscribeFinalizedHeads', []] as const;

export const column = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
export const rows = (of: Locator): Locator => of.getByRole('button', { name: /^Notification \d/ });
export const ready = (page: Page) =>
  expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
export const traffic = (page: Page): Locator => page.getByRole('region', { name: 'All traffic' });

/**
 * A second client of the page's node, on its own connection. The devtools only know about it from the node.
 */
export const openSecond = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const texts: MessagePort[] = [];
    Object.assign(window, { secondPorts: texts });
    // The control's `connect` passes a port to the worker. This requests another one in the same way.
    const send = Worker.prototype.postMessage;
    const last: { worker?: Worker; message?: { id?: string; path?: unknown } } = {};
    Worker.prototype.postMessage = function (this: Worker, message: never, transfer: never) {
      const path = (message as { path?: unknown[] }).path;
      if (Array.isArray(path) && path[0] === 'connect') Object.assign(last, { worker: this, message });
      return send.call(this, message, transfer);
    } as typeof send;
    Object.assign(window, {
      openSecond: () => {
        const { port1, port2 } = new MessageChannel();
        const source = last.message as {
          argumentList: { type: string; name?: string; value: unknown }[];
        };
        const argumentList = source.argumentList.map((argument, index) =>
          index === 0 ? { ...argument, value: port2 } : argument,
        );
        send.call(last.worker as Worker, { ...last.message, id: crypto.randomUUID(), argumentList }, [
          port2,
        ] as never);
        port1.start();
        texts.push(port1);
        return port1;
      },
    });
  });
};

export const sayAs = (page: Page, method: string, params: readonly unknown[] = []): Promise<void> =>
  page.evaluate(
    ([name, list]) => {
      const { secondPorts, openSecond: open } = window as unknown as {
        secondPorts: MessagePort[];
        openSecond: () => MessagePort;
      };
      const port = secondPorts[0] ?? open();
      port.postMessage(JSON.stringify({ jsonrpc: '2.0', id: 77, method: name, params: list }));
    },
    [method, params] as const,
  );

/** Waits until the node reports what other clients send, which starts with the first request for it. */
export const listening = (page: Page): Promise<void> =>
  expect(async () => {
    await sayAs(page, 'system_health');
    await expect(
      traffic(page)
        .getByRole('listitem')
        .filter({ hasText: /port \d+/ })
        .first(),
    ).toBeVisible({ timeout: 500 });
  }).toPass();
