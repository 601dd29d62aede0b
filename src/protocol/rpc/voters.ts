import * as z from 'zod/mini';
import { call } from './define.ts';
import { hashResult, hexResult } from './results.ts';

const someHash = `0x${'91'.repeat(32)}`;
/** 64-bit numbers are decimal text, because they may exceed 2^53. */
const u64Text = () => z.string();
const authority = () => z.object({ id: hexResult(), weight: u64Text() });

/** Who decides on finality. */
export const voters = {
  dev_grandpa: call({
    doc: 'The GRANDPA authorities, and for which of them this node has a key; pending changes of the set; the last block that votes finalized; the last double votes detected while this node votes. Null on a chain without GRANDPA.',
    params: {},
    result: z.nullable(
      z.object({
        setId: u64Text(),
        totalWeight: u64Text(),
        thresholdWeight: u64Text(),
        authorities: z.array(z.object({ id: hexResult(), weight: u64Text(), isOwn: z.boolean() })),
        changes: z.array(
          z.object({
            hash: hashResult(),
            number: z.int(),
            effectiveNumber: z.int(),
            isForced: z.boolean(),
            authorities: z.array(authority()),
          }),
        ),
        justified: z.nullable(
          z.object({ hash: hashResult(), number: z.int(), round: z.nullable(u64Text()) }),
        ),
        doubleVotes: z.array(
          z.object({ round: u64Text(), phase: z.enum(['prevote', 'precommit']), voter: hexResult() }),
        ),
      }),
    ),
    safety: 'unsafe',
    example: {
      args: {},
      result: {
        setId: '0',
        totalWeight: '1',
        thresholdWeight: '1',
        authorities: [{ id: someHash, weight: '1', isOwn: true }],
        changes: [],
        justified: { hash: someHash, number: 3, round: '2' },
        doubleVotes: [],
      },
    },
  }),
};
