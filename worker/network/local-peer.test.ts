import { describe, expect, it } from 'vitest';
import { peerOfAddress } from '../../src/protocol/addresses/multiaddr.ts';
import { isPeerId } from '../../src/protocol/addresses/peer-id.ts';
import { createTestPlatform, testConfig } from '../../test/rigs/platform.ts';
import { hexToBytes } from '../bytes/hex.ts';
import { createMemoryDatabase } from '../db/memory.ts';
import { createNode } from '../node.ts';
import { createLocalPeer } from './local-peer.ts';

/**
 * Key and id from libp2p's specification of peer ids ("peer-ids", test vectors, Ed25519), the public part.
 */
const specKey = '0x1ed1e8fae2c4a144b8be8fd4b47bf3d3b34b871c3cacf6010f0e42d474fce27e';
const specId = '12D3KooWBtg3aaRMjxwedh83aGiUkwSxDwUZkzuJcfaqUmo7R3pq';

describe('the node as a peer', () => {
  it('has the id of its key as long as its storage is kept', async () => {
    expect(createLocalPeer({ publicKey: () => hexToBytes(specKey) }).peerId()).toBe(specId);
    const db = createMemoryDatabase();
    const idOf = async (): Promise<string> => {
      const platform = createTestPlatform({ db: { ...db, close: async () => undefined } });
      const node = await createNode(platform, testConfig('development'));
      const id = node.parts.localPeer.peerId();
      await node.close();
      return id;
    };
    const first = await idOf();
    expect(await idOf()).toBe(first);
    expect(isPeerId(first)).toBe(true);
    const fresh = await createNode(createTestPlatform(), testConfig('development'));
    expect(fresh.parts.localPeer.peerId()).not.toBe(first);
    await fresh.close();
  });

  it.each([
    '',
    'x',
    'ip4/1.2.3.4',
    '/',
    '/ip4',
    '/ip9/1.2.3.4',
    '/ip4/1.2.3',
    `/ip4/1.2.3/p2p/${specId}`,
    `/ip6/1.2.3.4/p2p/${specId}`,
    `/ip4/1.2.3.4/tcp/65536/p2p/${specId}`,
    `/ip4/1.2.3.4/tcp//p2p/${specId}`,
    `/ip4/1.2.3.4/tcp/x/p2p/${specId}`,
    '/ip4/1.2.3.4/tcp/1',
    `/ip4/1.2.3.4/p2p/${specId}/tcp/1`,
    '/p2p/abc',
    '/p2p/0OIl',
    '/p2p/VBSPs',
    '/__proto__/x',
    `/unix/${'a'.repeat(2000)}/p2p/${specId}`,
  ])('refuses %s', (address) => {
    const message = expect.stringMatching(/^Not an address that ends in \/p2p\//);
    expect(() => peerOfAddress(address)).toThrow(expect.objectContaining({ code: 'BadConfig', message }));
  });
});
