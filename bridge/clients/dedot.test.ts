import { DedotClient, LegacyClient } from '@dedot/api';
import { WsProvider } from '@dedot/providers';
import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { beforeAll, describe, it } from 'vitest';
import { callSocket } from './socket-clients.fixture.ts';
import { startServe } from './test-process.fixture.ts';

beforeAll(async () => void (await cryptoWaitReady()));

/** The new interface (chainHead, transactions by `transaction_v1`) and the old one. */
const clients = [
  ['DedotClient', (url: string) => DedotClient.new(new WsProvider(url))],
  ['LegacyClient', (url: string) => LegacyClient.new(new WsProvider(url))],
] as const;

const title = 'dedot %s over tabnode serve, with default finality';

// In parallel, because most of the time is spent waiting for blocks, and each has its own node.
describe.each(clients)(title, { concurrent: true }, (_name, connect) => {
  // `expect` of the test, not the common one, which does not know which of several runs.
  it.for(['instant', 'interval', 'slots'])(
    '--seal %s: untilBestChainBlockIncluded resolves, and the block is finalized later',
    { timeout: 60_000 },
    async (seal, { expect }) => {
      const node = await startServe('--dev', '--seal', seal);
      // DedotClient sends nothing before there is a finalized block above genesis.
      await callSocket(node.ready.ws, 'dev_newBlock');
      const client = await connect(node.ready.ws);
      const alice = new Keyring({ type: 'sr25519' }).addFromUri('//Alice');
      const statuses: string[] = [];
      const watched = client.tx.system.remark('0x01').signAndSend(alice, { nonce: 0 }, ({ status }) => {
        statuses.push(status.type);
      });
      // A connection may broadcast 16 transactions at a time, as in the SDK.
      const others = Array.from({ length: 10 }, (_, index) => {
        const sent = client.tx.system.remark('0x02').signAndSend(alice, { nonce: index + 1 });
        return sent.untilBestChainBlockIncluded();
      });
      const included = await Promise.all(others);
      // dedot reads the block of each status before it reports it, so on a busy machine a later one may come first.
      for (const { status } of included)
        expect(['BestChainBlockIncluded', 'Finalized']).toContain(status.type);
      const last = client.tx.system.remark('0x03').signAndSend(alice, { nonce: 11 });
      const { status, events } = await last.untilFinalized();
      expect(status.type).toBe('Finalized');
      expect(events.some(({ event }) => client.events.system.ExtrinsicSuccess.is(event))).toBe(true);
      await watched;
      await expect.poll(() => statuses).toContain('Finalized');
      await client.disconnect();
      node.kill('SIGTERM');
      expect((await node.ended).code).toBe(0);
    },
  );
});
