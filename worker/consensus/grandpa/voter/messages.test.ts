import { describe, expect, it } from 'vitest';
import { hasFixtures, loadFixtureText } from '../../../../test/rigs/fixtures.ts';
import { bytesToHex, hexToBytes } from '../../../bytes/hex.ts';
import { bytesToBlockHash } from '../../../codec/identity.ts';
import { decodeMessage, encodeMessage, type Message } from './messages.ts';

type Recorded = { readonly encoded: string };
type Fixture = { readonly neighbors: readonly Recorded[]; readonly commits: readonly Recorded[] };

const block = (mark: number) => ({
  hash: bytesToBlockHash(new Uint8Array(32).fill(mark)),
  number: mark,
});
const signed = (mark: number) => ({
  target: block(mark),
  signature: new Uint8Array(64).fill(mark),
  voter: new Uint8Array(32).fill(mark),
});

const messages: readonly Message[] = [
  { type: 'vote', round: 3n, setId: 1n, vote: { kind: 2, ...signed(7) } },
  { type: 'commit', round: 3n, setId: 1n, commit: { target: block(1), precommits: [signed(1), signed(2)] } },
  { type: 'neighbor', round: 4n, setId: 1n, height: 9 },
  { type: 'catch-up-request', round: 4n, setId: 1n },
  {
    type: 'catch-up',
    setId: 1n,
    catchUp: { round: 4n, prevotes: [signed(1)], precommits: [signed(2)], base: block(1) },
  },
];

describe('messages of /grandpa/1', () => {
  it.each(messages)('$type: read as written, and not with a byte more or less', (message) => {
    const bytes = encodeMessage(message);
    expect(decodeMessage(bytes)).toEqual(message);
    expect(decodeMessage(bytes.subarray(0, -1))).toBeNull();
    expect(decodeMessage(Uint8Array.of(...bytes, 0))).toBeNull();
  });

  it('nothing else is a message', () => {
    expect(decodeMessage(new Uint8Array())).toBeNull();
    expect(decodeMessage(Uint8Array.of(5))).toBeNull();
    expect(decodeMessage(Uint8Array.of(2, 2, ...new Uint8Array(20)))).toBeNull();
  });

  it.skipIf(!hasFixtures)('recorded neighbor packets and commits are read and written alike', async () => {
    const fixture = JSON.parse(await loadFixtureText('grandpa/messages.json')) as Fixture;
    // Commits were recorded without the kind of the message.
    const commits = fixture.commits.map(({ encoded }) => `0x01${encoded.slice(2)}`);
    for (const encoded of [...fixture.neighbors.map((one) => one.encoded), ...commits]) {
      const message = decodeMessage(hexToBytes(encoded));
      expect(message).not.toBeNull();
      expect(bytesToHex(encodeMessage(message as Message))).toBe(encoded);
    }
  });
});
