import { expect, it } from 'vitest';
import { startServe } from '../clients/test-process.fixture.ts';

it('treats each HTTP request as a separate client that cannot stop the broadcasts of others', async () => {
  const node = await startServe('--tmp', '--seal', 'manual');
  const ask = async (method: string, params: readonly unknown[]): Promise<{ result?: unknown }> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    return (await fetch(node.ready.http, { method: 'POST', body, headers })).json() as Promise<object>;
  };
  const answers = [];
  for (let i = 0; i < 17; i++) answers.push(await ask('transaction_v1_broadcast', ['0x00']));
  expect(answers.map(({ result }) => typeof result)).toEqual(answers.map(() => 'string'));
  expect(await ask('transaction_v1_stop', [answers[0]?.result])).toMatchObject({
    error: { code: -32602, message: 'Invalid operation id' },
  });
  node.kill('SIGTERM');
  await node.ended;
});
