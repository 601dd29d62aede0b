import { describe, expect, it, onTestFinished } from 'vitest';
import type { WorkerHost } from '../begin.ts';
import { createFakeHost, createLed } from './fake-tabs.fixture.ts';
import { leadTabs } from './lead.ts';
import { openPersistent } from './persistent-node.ts';

type Start = Parameters<typeof createFakeHost>[0];

const busy: Start = { refuses: 'ChainInUse' };
const broken: Start = { refuses: 'StorageBroken' };

/** A tab that uses the node of another one, which can close; its own workers start as given, the last one again. */
const openSecondTab = async (pauses: readonly number[], ...starts: readonly Start[]) => {
  const chain = `lasting-${crypto.randomUUID()}`;
  const first = new AbortController();
  leadTabs(chain, createLed('first'), first.signal);
  let begun = 0;
  // Its own worker loses against the tab that has the chain.
  const all = [busy, ...starts];
  const createHost = (): WorkerHost => createFakeHost(all[Math.min(begun++, all.length - 1)] ?? busy);
  const node = await openPersistent(chain, { keys: [] }, createHost, pauses);
  onTestFinished(() => {
    first.abort();
    return node.stop();
  });
  const ask = async (): Promise<unknown> => (await node.connect()).request('who', []);
  expect(await ask()).toBe('first');
  const before = begun;
  return { node, ask, closeFirst: () => first.abort(), attempts: () => begun - before };
};

describe('a shared node whose tab closes', () => {
  it('is opened again until it works', { timeout: 30_000 }, async () => {
    const tab = await openSecondTab([1, 1, 1], broken, broken, { name: 'own' });
    tab.closeFirst();
    await expect.poll(() => tab.ask().catch(() => null), { timeout: 20_000 }).toBe('own');
    expect(tab.attempts()).toBeGreaterThanOrEqual(2);
  });

  it('rejects with one error after the last attempt', { timeout: 30_000 }, async () => {
    const tab = await openSecondTab([1, 1], broken);
    const closed = new Promise((resolve) => tab.node.connection.onClose(resolve));
    tab.closeFirst();
    await closed;
    const expected = {
      code: 'StorageBroken',
      message: 'This tab could not continue the chain in 3 attempts: refused',
    };
    await expect(tab.ask()).rejects.toMatchObject(expected);
    const { attempts } = tab;
    const after = attempts();
    await expect(tab.ask()).rejects.toMatchObject(expected);
    expect(attempts()).toBe(after);
  });

  it('is not opened again once it is stopped', { timeout: 30_000 }, async () => {
    const tab = await openSecondTab([1, 600_000], broken);
    const closed = new Promise((resolve) => tab.node.connection.onClose(resolve));
    tab.closeFirst();
    await closed;
    const asking = tab.ask();
    asking.catch(() => undefined);
    await expect.poll(tab.attempts).toBeGreaterThan(0);
    await tab.node.stop();
    await expect(asking).rejects.toMatchObject({ code: 'Disconnected', message: 'The node was stopped' });
  });
});
