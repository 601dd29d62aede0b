import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { concatBytes } from '../../../worker/bytes/bytes.ts';
import { type Recording, readFrames, replay } from './recording.ts';

const recordings = JSON.parse(
  readFileSync(new URL('recordings.json', import.meta.url), 'utf8'),
) as Recording[];

test('litep2p and js-libp2p were recorded in both directions, smoldot as it dials', () => {
  const recorded = recordings.map(({ peer, isDialer }) => `${peer} ${isDialer ? 'dialed' : 'dials'}`);
  expect(recorded.sort()).toEqual([
    'js-libp2p dialed',
    'js-libp2p dials',
    'litep2p dialed',
    'litep2p dials',
    'smoldot dials',
  ]);
});

/** Of what follows the handshake, where a step has one key agreement less. */
const everyNth = 16;

describe.each(recordings)('what $peer has sent (dialed: $isDialer)', (recording) => {
  const bytes = new Uint8Array(Buffer.from(recording.received, 'base64'));
  const { remoteId, frames, handshakeBytes } = recording;

  test('is read the same, wherever it is cut', () => {
    expect(frames.length).toBeGreaterThan(3);
    for (let at = 0; at <= bytes.length; at += at < handshakeBytes ? 1 : everyNth) {
      const read = replay(recording, [bytes.slice(0, at), bytes.slice(at)]);
      expect({ at, remoteId: read.remoteId, frames: read.frames }).toEqual({ at, remoteId, frames });
    }
  });

  test('is read the same byte by byte, which is cut everywhere', () => {
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect(replay(recording, single)).toMatchObject({ remoteId, frames, handshakeBytes });
  });

  test('has frames that are read the same, wherever these are cut', () => {
    const plain = concatBytes(...replay(recording, [bytes]).plain);
    for (let at = 0; at <= plain.length; at++)
      expect(readFrames([plain.subarray(0, at), plain.subarray(at)])).toEqual(frames);
  });

  test('is refused with any bit of the identity or of a record flipped', () => {
    for (let at = handshakeBytes - 1; at > handshakeBytes - 120; at -= 7) {
      const flipped = bytes.slice();
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      expect(() => {
        const read = replay(recording, [flipped]);
        if (read.frames.length < frames.length) throw new Error('cut short');
      }).toThrow();
    }
  });
});
