import * as z from 'zod/mini';
import { call, subscription } from './define.ts';
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

/** Finality by GRANDPA (RPC.md §1.4). */
export const grandpa = {
  grandpa_roundState: call({
    doc: 'The rounds the voter takes part in; an error while no voter runs.',
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
  grandpa_subscribeJustifications: subscription({
    doc: 'The justification of every finalization the voter performs; none while no voter runs.',
    params: {},
    result: hexResult(),
    safety: 'safe',
    event: 'grandpa_justifications',
    unsubscribe: 'grandpa_unsubscribeJustifications',
  }),
};
