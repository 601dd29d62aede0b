import { describe, expect, it } from 'vitest';
import { claimOf, readDigestItem } from './read-digest.ts';
import { readJustification } from './read-justification.ts';

/** Written by a development chain of this node. */
const secondary = '0x064241424534020000000079a3d51100000000';

const alice = 'd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d';

describe('digest items', () => {
  it('reads slot, authority and kind of a BABE claim', () => {
    expect(claimOf([secondary])).toEqual({ slot: 299_213_689, authority: 0, kind: 'secondary plain' });
    const vrf = `0x0642414245b50103${'02000000'}${'0700000000000000'}${'ab'.repeat(32)}${'cd'.repeat(64)}`;
    expect(readDigestItem(vrf)).toMatchObject({
      kind: 'pre-runtime',
      engine: 'BABE',
      claim: { slot: 7, authority: 2, kind: 'secondary VRF' },
      facts: [
        ['VRF output', `0x${'ab'.repeat(32)}`],
        ['VRF proof', `0x${'cd'.repeat(64)}`],
      ],
    });
  });

  it('reads the next epoch, an authority change, Aura and the seal', () => {
    const next = `0x044241424529010104${alice}0100000000000000${'11'.repeat(32)}`;
    expect(readDigestItem(next)).toMatchObject({
      title: 'next epoch',
      authorities: [{ id: `0x${alice}`, weight: 1n }],
      fault: null,
    });
    const change = `0x0446524e4bb80104${alice}010000000000000005000000`;
    expect(readDigestItem(change)).toMatchObject({
      title: 'authority change',
      facts: [['after', '5 blocks']],
    });
    expect(claimOf(['0x0661757261200900000000000000'])).toMatchObject({ slot: 9, authority: null });
    expect(readDigestItem(`0x054241424501${'01'}${'00'.repeat(64)}`).title).toBe('signature of 64 bytes');
  });

  it('says why bytes cannot be decoded, and keeps their kind', () => {
    expect(readDigestItem('0x0642414245340200')).toMatchObject({
      kind: 'pre-runtime',
      engine: 'BABE',
      claim: null,
      fault: expect.stringContaining('left'),
    });
    // A byte more than the claim has, inside and behind its payload.
    const longer = `${secondary.replace('424534', '424538')}00`;
    for (const log of [longer, `${secondary}00`])
      expect(readDigestItem(log)).toMatchObject({ claim: null, fault: '1 byte left over' });
    expect(readDigestItem('0x08')).toMatchObject({ kind: 'code updated', engine: null, fault: null });
  });
});

describe('justifications', () => {
  it('reads round, block number and signature count of a GRANDPA justification, and returns null for others', () => {
    const bytes = Uint8Array.from([
      3,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      ...Array(32).fill(1),
      9,
      0,
      0,
      0,
      8,
      ...Array(264).fill(2),
      0,
    ]);
    expect(readJustification('FRNK', bytes)).toEqual({ round: 3, number: 9, signatures: 2 });
    expect(readJustification('FRNK', bytes.subarray(0, 60))).toBe(null);
    expect(readJustification('test', bytes)).toBe(null);
  });
});
