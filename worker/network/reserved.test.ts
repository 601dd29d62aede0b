import { describe, expect, it } from 'vitest';
import { peerIdEncode } from '../crypto/peer-id.ts';
import { createReserved } from './reserved.ts';

const first = '12D3KooWBtg3aaRMjxwedh83aGiUkwSxDwUZkzuJcfaqUmo7R3pq';
const other = 'QmYyQSo1c1Ym7orWxLYvCrM2EmxFTANf8wXmmE7DWjhx5N';

describe('reserved peers', () => {
  it('have one id and several addresses, until they are released', () => {
    const reserved = createReserved();
    const addresses = [
      `/ip4/198.51.100.19/tcp/30333/p2p/${first}`,
      `/dns/boot.example/tcp/443/wss/p2p/${other}`,
      `/ip6/fd00::2/udp/1/quic-v1/p2p/${other}`,
    ];
    for (const address of addresses) reserved.add(address);
    expect(reserved.ids()).toEqual([first, other]);
    expect([...reserved.addresses()]).toEqual(addresses);
    reserved.release(other);
    reserved.release(peerIdEncode(new Uint8Array(32)));
    expect(reserved.ids()).toEqual([first]);
    expect([...reserved.addresses()]).toEqual(addresses.slice(0, 1));
  });

  it('are at most 1,024', () => {
    const reserved = createReserved();
    for (let port = 1; port <= 1024; port++) reserved.add(`/ip4/198.51.100.19/tcp/${port}/p2p/${first}`);
    const more = () => reserved.add(`/ip4/198.51.100.19/tcp/2000/p2p/${first}`);
    expect(more).toThrow(expect.objectContaining({ code: 'QueueFull' }));
  });

  it.each(['0OIl', 'not an id', "a'", 'a\n', '"', '1é', '', 'abc', 'VBSPs', '1'.repeat(200)])(
    'are not released by the id %j',
    (text) => {
      const message = expect.stringMatching(/^Not a peer id/);
      expect(() => createReserved().release(text)).toThrow(
        expect.objectContaining({ code: 'BadKey', message }),
      );
    },
  );
});
