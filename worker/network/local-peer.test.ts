import { describe, expect, it } from 'vitest';
import { createTestPlatform, testConfig } from '../../test/rigs/platform.ts';
import { hexToBytes } from '../bytes/hex.ts';
import { peerIdCheck, peerIdEncode } from '../crypto/peer-id.ts';
import { createMemoryDatabase } from '../db/memory.ts';
import { createNode } from '../node.ts';
import { createLocalPeer } from './local-peer.ts';
import { peerOfAddress } from './multiaddr.ts';

/**
 * Key and id from libp2p's specification of peer ids ("peer-ids", test vectors, Ed25519), the public part.
 */
const specKey = '0x1ed1e8fae2c4a144b8be8fd4b47bf3d3b34b871c3cacf6010f0e42d474fce27e';
const specId = '12D3KooWBtg3aaRMjxwedh83aGiUkwSxDwUZkzuJcfaqUmo7R3pq';
const other = 'QmYyQSo1c1Ym7orWxLYvCrM2EmxFTANf8wXmmE7DWjhx5N';

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
    peerIdCheck(first);
    const fresh = await createNode(createTestPlatform(), testConfig('development'));
    expect(fresh.parts.localPeer.peerId()).not.toBe(first);
    await fresh.close();
  });

  it('stores reserved peers by their ids', () => {
    const peer = createLocalPeer({ publicKey: () => new Uint8Array(32) });
    peer.reserve(`/ip4/198.51.100.19/tcp/30333/p2p/${specId}`);
    peer.reserve(`/dns/boot.example/tcp/443/wss/p2p/${other}`);
    peer.reserve(`/ip6/fd00::2/udp/1/quic-v1/p2p/${other}`);
    expect(peer.reserved()).toEqual([specId, other]);
    peer.release(specId);
    peer.release(peerIdEncode(new Uint8Array(32)));
    expect(peer.reserved()).toEqual([other]);
  });

  it.each([
    ['', 'Peer id is missing from the address'],
    ['x', 'invalid multiaddress'],
    ['ip4/1.2.3.4', 'invalid multiaddress'],
    ['/', "unknown protocol ''"],
    ['/ip4', 'invalid protocol string'],
    ['/ip9/1.2.3.4', "unknown protocol 'ip9'"],
    ['/ip4/1.2.3', 'multiaddr parsing error: invalid IPv4 address syntax'],
    ['/ip6/1.2.3.4', 'multiaddr parsing error: invalid IPv6 address syntax'],
    ['/ip4/1.2.3.4/tcp/65536', 'multiaddr parsing error: number too large to fit in target type'],
    ['/ip4/1.2.3.4/tcp/x', 'multiaddr parsing error: invalid digit found in string'],
    ['/ip4/1.2.3.4/tcp/1', 'Peer id is missing from the address'],
    [`/ip4/1.2.3.4/p2p/${specId}/tcp/1`, 'Peer id is missing from the address'],
    ['/p2p/abc', 'multiaddr parsing error: invalid multihash'],
    ['/p2p/0OIl', 'multiaddr parsing error: Invalid base string'],
    ['/p2p/VBSPs', "multiaddr parsing error: unsupported multihash code '19'"],
    ['/__proto__/x', "unknown protocol '__proto__'"],
    [`/${'a'.repeat(2000)}`, 'invalid multiaddress'],
  ])('refuses %s', (address, message) => {
    expect(() => peerOfAddress(address)).toThrow(expect.objectContaining({ code: 'BadConfig', message }));
  });

  it.each([
    ['0OIl', "base-58 decode error: provided string contained invalid character '0' at byte 0"],
    ['not an id', "base-58 decode error: provided string contained invalid character ' ' at byte 3"],
    ["a'", "base-58 decode error: provided string contained invalid character '\\'' at byte 1"],
    ['a\n', "base-58 decode error: provided string contained invalid character '\\n' at byte 1"],
    ['"', "base-58 decode error: provided string contained invalid character '\"' at byte 0"],
    ['\x01', "base-58 decode error: provided string contained invalid character '\\u{1}' at byte 0"],
    ['1é', 'base-58 decode error: provided string contained non-ascii character starting at byte 1'],
    ['', 'invalid multihash'],
    ['abc', 'invalid multihash'],
    ['VBSPs', 'invalid multihash'],
    ['1'.repeat(200), 'invalid multihash'],
  ])('refuses the peer id %s', (text, message) => {
    expect(() => peerIdCheck(text)).toThrow(expect.objectContaining({ code: 'BadKey', message }));
  });
});
