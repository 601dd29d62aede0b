import { readdir, readFile } from 'node:fs/promises';
import type { Browser, CDPSession, Page } from 'playwright';

/** Processor time of the page's main thread so far, in ms. */
export type MainThread = { readonly all: number; readonly script: number; readonly drawing: number };

/** Reads the main thread's own time, so other processes of the machine are not included. */
export const openMainThread = async (
  page: Page,
): Promise<{ readonly session: CDPSession; read(): Promise<MainThread> }> => {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return {
    session,
    read: async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      const of = (name: string): number =>
        (metrics.find((metric) => metric.name === name)?.value ?? Number.NaN) * 1000;
      return {
        all: of('TaskDuration'),
        script: of('ScriptDuration'),
        drawing: of('LayoutDuration') + of('RecalcStyleDuration'),
      };
    },
  };
};

const threadNamed = async (pid: number, name: string): Promise<string | null> => {
  const folder = `/proc/${pid}/task`;
  for (const thread of await readdir(folder).catch(() => []))
    if ((await readFile(`${folder}/${thread}/comm`, 'utf8').catch(() => '')).startsWith(name))
      return `${folder}/${thread}/schedstat`;
  return null;
};

/**
 * Processor time of the page's worker so far, in ms; NaN if the system does not report it (only Linux does).
 * `schedstat`: the first number is nanoseconds on a processor.
 */
export const openWorkerThread = async (browser: Browser): Promise<() => Promise<number>> => {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  for (const { id } of processInfo) {
    const file = await threadNamed(id, 'DedicatedWorker');
    if (file !== null)
      return async () => Number((await readFile(file, 'utf8')).split(' ')[0] ?? Number.NaN) / 1e6;
  }
  return async () => Number.NaN;
};
