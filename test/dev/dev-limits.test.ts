import { afterEach, describe, expect, it, vi } from 'vitest';
import { maxImpersonated } from '../../worker/dev/impersonation.ts';
import { maxSnapshots } from '../../worker/dev/snapshot.ts';
import { createRpcServer } from '../../worker/rpc/server.ts';
import { type DevNode, lastingDatabase, startDevNode } from '../rigs/dev-node.ts';

let dev: DevNode;
afterEach(() => dev.stop());

const limitReached = { code: 1, data: 'LimitReached' };
const account = (index: number): string => `0x${index.toString(16).padStart(64, '0')}`;

describe('limits of a development chain', () => {
  it('snapshots: up to a limit, also after a restart; replacing one, or adding one after deleting another, is possible', async () => {
    const db = lastingDatabase();
    dev = await startDevNode({ db });
    for (let i = 0; i < maxSnapshots; i++) await dev.call('dev_snapshot', `s${i}`);
    await expect(dev.call('dev_snapshot', 'more')).rejects.toMatchObject(limitReached);
    await dev.stop();
    dev = await startDevNode({ db });
    await expect(dev.call('dev_snapshot', 'more')).rejects.toMatchObject(limitReached);
    expect(await dev.call('dev_listSnapshots')).toHaveLength(maxSnapshots);
    await dev.call('dev_snapshot', 's0');
    expect(await dev.call('dev_deleteSnapshot', 's1')).toBe(true);
    await dev.call('dev_snapshot', 'more');
    await expect(dev.call('dev_snapshot', 's1')).rejects.toMatchObject(limitReached);
  });

  it('impersonated accounts: up to a limit; a known one again, or another after one was removed, is possible', async () => {
    dev = await startDevNode();
    for (let i = 0; i < maxImpersonated; i++) await dev.call('dev_impersonate', account(i));
    await expect(dev.call('dev_impersonate', account(maxImpersonated))).rejects.toMatchObject(limitReached);
    await dev.call('dev_impersonate', account(0));
    await dev.call('dev_impersonate', account(1), false);
    await dev.call('dev_impersonate', account(maxImpersonated));
    expect((await dev.node.status()).impersonated).toHaveLength(maxImpersonated);
  });
});

describe('dev_exportChain', () => {
  const blocks = 40;

  it.each(['json', 'binary'] as const)(
    'stops at the maximum response size, as %s; ranges export everything',
    async (format) => {
      dev = await startDevNode();
      await dev.call('dev_newBlock', { count: blocks });
      const whole = await dev.call<string>('dev_exportChain', format);
      const loads = vi.spyOn(dev.node.parts.chain, 'loadBlock');
      const connection = createRpcServer(dev.node.parts).connect(() => undefined, {
        dialect: 'psp-6',
        denyUnsafe: false,
        transport: 'ws',
        limits: { maxResponseBytes: whole.length / 2 },
      });
      const ask = async (...params: unknown[]) =>
        JSON.parse(
          (await connection.handle(
            JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'dev_exportChain', params }),
          )) as string,
        ) as { result?: string; error?: { code: number } };
      expect((await ask(format)).error).toMatchObject({ code: -32008, message: 'Response is too big' });
      // It stopped at the text limit without loading the rest.
      expect(loads.mock.calls.length).toBeLessThan(blocks * 0.75);
      const parts: string[] = [];
      for (let from = 1; from <= blocks; from += 10) {
        const { result = '' } = await ask(format, from, from + 9);
        // Each range begins with the line that identifies the chain, or with the number of blocks that
        // follow.
        parts.push(format === 'json' ? result.slice(result.indexOf('\n') + 1) : result.slice(18));
      }
      const body = format === 'json' ? whole.slice(whole.indexOf('\n') + 1) : whole.slice(18);
      expect(parts.join('')).toBe(body);
    },
  );
});
