import { multiaddr } from '@multiformats/multiaddr';
import { expect, onTestFinished, test } from 'vitest';
import { createNode } from '../../worker/node.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { sealOn } from '../rigs/seal-on.ts';
import { startJsPeer } from './js-peer.ts';
import { listenAsPeer } from './listen.ts';

const heldMs = 120_000;
const blockMs = 5000;

test('a link with js-libp2p stays open for two minutes, and each block is announced on it', async () => {
  const platform = createTestPlatform({ now: Date.now });
  const past = { finality: { kind: 'grandpa' }, clock: { startMs: Date.UTC(2026, 0, 1) } } as const;
  const ours = await createNode(platform, testConfig('development', { ...past, network: {} }));
  const peers = await listenAsPeer(ours);
  onTestFinished(async () => {
    await peers.close();
    await ours.close();
  });
  const peer = await startJsPeer('ws', ours);
  const connection = await peer.node.dial(multiaddr(ours.parts.localPeer.addresses()[0] ?? ''));
  await peer.openOutbound(connection);
  await peer.until(() => peer.link.inbound !== null);
  const endMs = Date.now() + heldMs;
  for (let number = 1; Date.now() < endMs; number++) {
    await new Promise((resolve) => setTimeout(resolve, blockMs));
    await sealOn(ours);
    await peer.until(() => peer.received.at(-1)?.header.number === number);
  }
  expect([peer.link.inbound?.status, peer.link.outbound?.status]).toEqual(['open', 'open']);
  expect(ours.parts.network.peers()).toMatchObject([{ id: peer.id, role: 'full' }]);
  expect(platform.errors).toEqual([]);
}, 180_000);
