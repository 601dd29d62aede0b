import { ApiPromise } from '@polkadot/api';
import { describe, expect, it } from 'vitest';
import { createConnection } from '../../src/connection.ts';
import { polkadotJsProvider } from '../../src/providers/polkadot-js.ts';
import { recordTraffic } from '../../src/record.ts';
import { createReplayConnection } from '../../src/replay.ts';
import { createNode } from '../../worker/node.ts';
import { createRpcServer } from '../../worker/rpc/server.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';

const openNode = async () => {
  const node = await createNode(createTestPlatform(), testConfig('development'));
  const server = createRpcServer(node.parts);
  const connect = async () => {
    const { port1, port2 } = new MessageChannel();
    server.connectPort(port1 as unknown as MessagePort, { dialect: 'polkadot-sdk', denyUnsafe: false });
    return createConnection(port2 as unknown as MessagePort);
  };
  return { node, server, connect };
};

const openApi = (connection: Awaited<ReturnType<Awaited<ReturnType<typeof openNode>>['connect']>>) =>
  ApiPromise.create({ provider: polkadotJsProvider(connection), noInitWarn: true });

/** What a dApp reads: responses and the first heads of a subscription. */
const readAll = async (api: ApiPromise, heads: number, next: () => Promise<void>) => {
  const seen: string[] = [];
  const done = Promise.withResolvers<void>();
  const stop = await api.rpc.chain.subscribeNewHeads((header) => {
    seen.push(header.hash.toHex());
    if (seen.length === heads) done.resolve();
  });
  for (let head = 1; head < heads; head++) await next();
  await done.promise;
  stop();
  const account = await api.query['system']?.['account']?.(
    '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY',
  );
  return { seen, account: account?.toJSON(), chain: (await api.rpc.system.chain()).toString() };
};

describe('a recorded session', () => {
  it('serves polkadot-js again without a node', { timeout: 60_000 }, async () => {
    const { node, server, connect } = await openNode();
    const lines: string[] = [];
    const client = await connect();
    const recorder = await recordTraffic({ connect }, (line) => void lines.push(line));
    const live = await openApi(client);
    const asLived = await readAll(live, 3, async () => {
      await node.parts.author.seal({ createEmpty: true, finalize: false });
    });
    await client.request('system_localPeerId', []);
    await recorder.stop();
    expect(lines.some((line) => line.includes('<<') && line.includes('12D3Koo'))).toBe(true);
    await live.disconnect();
    server.close();
    await node.close();
    expect(recorder.missed()).toBe(0);
    expect(asLived.seen).toHaveLength(3);

    const replayed = await openApi(createReplayConnection(lines.join('\n')));
    const again = await readAll(replayed, 3, async () => undefined);
    await replayed.disconnect();
    expect(again).toEqual(asLived);
  });
});
