import { describe, expect, it } from 'vitest';
import { servePageMethods } from '../../src/custom-methods.ts';
import type { CustomContext, CustomMethods } from '../../src/protocol/custom.ts';
import { type Custom, callCustom, openCustomMethods } from './custom.ts';

const context: CustomContext = { denyUnsafe: true, dialect: 'psp-6' };

const openPage = async (methods: CustomMethods) => {
  const rpcPage = servePageMethods(methods);
  const table = await openCustomMethods({ rpcPage });
  const call = (name: string, params: unknown, waitMs?: number): Promise<unknown> =>
    callCustom(table.get(name) as Custom, params, context, waitMs);
  return { table, call, close: () => rpcPage.port.close() };
};

describe('methods whose handlers run in the page', () => {
  it('receive params and context, and return results and errors', async () => {
    const page = await openPage({
      my_echo: (params, given) => ({ params, given }),
      my_none: () => undefined,
      my_refusal: () => Promise.reject({ code: 42, message: 'no', data: 'why' }),
      my_fault: { call: () => (undefined as never as { a: { b: 1 } }).a.b, doc: 'Faulty.', safety: 'unsafe' },
      my_function: () => () => 1,
    });
    expect(await page.call('my_echo', { a: [1] })).toEqual({ params: { a: [1] }, given: context });
    expect(await page.call('my_none', [])).toBeUndefined();
    await expect(page.call('my_refusal', [])).rejects.toMatchObject({ code: 42, message: 'no', data: 'why' });
    await expect(page.call('my_fault', [])).rejects.toMatchObject({ code: -32603 });
    // A function cannot be cloned to the worker, so the call fails.
    await expect(page.call('my_function', [])).rejects.toMatchObject({ message: expect.any(String) });
    expect(page.table.get('my_fault')).toMatchObject({ doc: 'Faulty.', safety: 'unsafe' });
    page.close();
  });

  it('settle even if the handler never does', async () => {
    const page = await openPage({ my_sleep: () => new Promise(() => undefined) });
    await expect(page.call('my_sleep', [], 20)).rejects.toMatchObject({
      code: -32603,
      data: 'my_sleep took longer than 20 ms',
    });
    page.close();
  });

  it('respond to the right callers in any order', async () => {
    const waiting: (() => void)[] = [];
    const page = await openPage({
      my_wait: (params) => new Promise((resolve) => waiting.push(() => resolve(params))),
    });
    const answers = [1, 2, 3].map((one) => page.call('my_wait', one));
    await expect.poll(() => waiting.length).toBe(3);
    for (const answer of waiting.reverse()) answer();
    expect(await Promise.all(answers)).toEqual([1, 2, 3]);
    page.close();
  });

  it.each([['chain_getHeader'], ['subscribe_newHead'], ['rpc.discover']])(
    'cannot replace %s',
    async (name) => {
      const rpcPage = servePageMethods({ [name]: () => 1 });
      await expect(openCustomMethods({ rpcPage })).rejects.toMatchObject({ code: 'BadConfig' });
      rpcPage.port.close();
    },
  );

  it.each([{ 'no name': () => 1 }, { my_a: 1 }, { my_a: null }, { my_a: { call: () => 1, safety: 'some' } }])(
    'refuses %o',
    (methods) => {
      expect(() => servePageMethods(methods as never)).toThrow(
        expect.objectContaining({ code: 'BadConfig' }),
      );
    },
  );
});
