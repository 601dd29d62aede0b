import { multiaddr } from '@multiformats/multiaddr';
import { expect, onTestFinished, test } from 'vitest';
import { openSockets } from '../../bridge/network/open-network.ts';
import type { NodeConfig } from '../../src/protocol/node.ts';
import {
  decodeBlockResponse,
  encodeBlockRequest,
  wholeBlock,
} from '../../worker/network/protocol/block-request.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { sealOn } from '../rigs/seal-on.ts';
import { startJsPeer } from './js-peer.ts';
import { listenAsPeer } from './listen.ts';

/** A node that ends with the test. */
const start = async (changes: Partial<NodeConfig> = {}): Promise<Node> => {
  const platform = createTestPlatform({ now: Date.now });
  const config = { finality: { kind: 'grandpa' }, clock: { startMs: Date.UTC(2026, 0, 1) } } as const;
  const node = await createNode(platform, testConfig('development', { ...config, ...changes }));
  onTestFinished(async () => {
    await node.close();
    expect(platform.errors).toEqual([]);
  });
  return node;
};

const bestReaches = ({ parts: { chain } }: Node, number: number): Promise<void> =>
  new Promise((resolve) => {
    const check = (): void => {
      if (chain.best().number < number) return;
      off();
      resolve();
    };
    const off = chain.onEvent(check);
    check();
  });

test('js-libp2p dials a node: it takes blocks by sync/2, and a link brings what is sealed', async () => {
  const ours = await start({ network: {} });
  for (let number = 1; number <= 30; number++) await sealOn(ours);
  const peers = await listenAsPeer(ours);
  onTestFinished(peers.close);
  const peer = await startJsPeer('ws', ours);
  const connection = await peer.node.dial(multiaddr(ours.parts.localPeer.addresses()[0] ?? ''));
  await peer.openOutbound(connection);
  await peer.until(() => peer.link.inbound !== null);
  await expect.poll(ours.parts.network.peers).toMatchObject([{ id: peer.id, role: 'full' }]);

  const request = { parts: wholeBlock, from: 1, isDescending: false, max: 128, takesSeveral: true };
  const response = decodeBlockResponse(await peer.request(connection, encodeBlockRequest(request)));
  expect(response?.map(({ header }) => header?.number)).toEqual(
    Array.from({ length: 30 }, (_, at) => at + 1),
  );
  for (let number = 31; number <= 50; number++) {
    await sealOn(ours);
    await peer.until(() => peer.received.at(-1)?.header.number === number);
  }
  expect([peer.link.inbound?.status, peer.link.outbound?.status]).toEqual(['open', 'open']);
});

test.each(['ws', 'tcp'] as const)(
  'a node dials js-libp2p by %s, takes its blocks and follows',
  async (kind) => {
    const theirs = await start();
    for (let number = 1; number <= 150; number++) await sealOn(theirs);
    const peer = await startJsPeer(kind, theirs);
    const network = { bootNodes: [peer.address] };
    const ours = await start({ keys: [], clock: 'chain', network, sockets: openSockets() });
    await bestReaches(ours, 150);
    expect(peer.served()).toBeGreaterThanOrEqual(3);
    const { chain } = theirs.parts;
    for (let number = 151; number <= 160; number++) {
      const header = await chain.loadHeader((await sealOn(theirs)) as never);
      if (header === null) throw new Error('The block has no header');
      peer.announce({ header, isBest: true });
      await bestReaches(ours, number);
    }
    expect(ours.parts.chain.best().hash).toBe(chain.best().hash);
    expect([peer.link.inbound?.status, peer.link.outbound?.status]).toEqual(['open', 'open']);
  },
);
