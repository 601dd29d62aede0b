import * as z from 'zod/mini';
import { call, subscription } from './define.ts';
import { hash, heightOrHash, optional, u64 } from './params.ts';
import { hexResult } from './results.ts';

const votes = () => z.object({ currentWeight: z.int(), missing: z.array(z.string()) });
const round = () =>
  z.object({
    round: z.int(),
    totalWeight: z.int(),
    thresholdWeight: z.int(),
    prevotes: votes(),
    precommits: votes(),
  });

/** Finality by GRANDPA. */
export const grandpa = {
  grandpa_roundState: call({
    doc: 'The rounds of the voter; an error if no voter is running.',
    params: {},
    result: z.object({ setId: z.int(), best: round(), background: z.array(round()) }),
    safety: 'safe',
    example: {
      args: {},
      result: {
        setId: 0,
        best: {
          round: 1,
          totalWeight: 1,
          thresholdWeight: 1,
          prevotes: { currentWeight: 0, missing: [] },
          precommits: { currentWeight: 0, missing: [] },
        },
        background: [],
      },
    },
  }),
  grandpa_proveFinality: call({
    doc: 'Proof that the block at a height is final: the justification of the last block of its authority set and the headers up to it. For a range of blocks (two hashes, and the set id of the proof), a list with the proof for its end. Null if no proof is stored.',
    params: { block: heightOrHash(), end: optional(hash()), set_id: optional(u64()) },
    result: z.nullable(hexResult()),
    safety: 'safe',
    example: { args: { block: 0 }, result: null },
  }),
  grandpa_subscribeJustifications: subscription({
    doc: 'The justification of every block that is finalized by one.',
    params: {},
    result: hexResult(),
    safety: 'safe',
    event: 'grandpa_justifications',
    unsubscribe: 'grandpa_unsubscribeJustifications',
  }),
};
