import * as z from 'zod/mini';
import type { MethodResults } from '../define.ts';
import { hashResult, hexResult } from './schemas.ts';

const slots = () => z.array(z.int());
const votes = () => z.object({ currentWeight: z.int(), missing: z.array(z.string()) });
const round = () =>
  z.object({
    round: z.int(),
    totalWeight: z.int(),
    thresholdWeight: z.int(),
    prevotes: votes(),
    precommits: votes(),
  });
const someHash = `0x${'91'.repeat(32)}`;
const proof = { blockHash: someHash, leaves: '0x00', proof: '0x00000000000000000000' };
/** 64-bit numbers are decimal text, because they may exceed 2^53. */
const u64Text = () => z.string();
const authority = () => z.object({ id: hexResult(), weight: u64Text() });

export const babeResults = {
  babe_epochAuthorship: {
    schema: z.record(z.string(), z.object({ primary: slots(), secondary: slots(), secondary_vrf: slots() })),
    example: {
      '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY': {
        primary: [3],
        secondary: [1, 2],
        secondary_vrf: [],
      },
    },
  },
} satisfies MethodResults;

export const beefyResults = {
  beefy_getFinalizedHead: { schema: hashResult(), example: `0x${'91'.repeat(32)}` },
  beefy_subscribeJustifications: { schema: hexResult() },
} satisfies MethodResults;

export const engineResults = {
  engine_createBlock: {
    schema: z.object({
      hash: hashResult(),
      aux: z.object({
        header_only: z.boolean(),
        clear_justification_requests: z.boolean(),
        needs_justification: z.boolean(),
        bad_justification: z.boolean(),
        is_new_best: z.boolean(),
      }),
      proof_size: z.int(),
    }),
    example: {
      hash: `0x${'91'.repeat(32)}`,
      aux: {
        header_only: false,
        clear_justification_requests: false,
        needs_justification: false,
        bad_justification: false,
        is_new_best: true,
      },
      proof_size: 0,
    },
  },
  engine_finalizeBlock: { schema: z.boolean(), example: true },
} satisfies MethodResults;

export const grandpaResults = {
  grandpa_roundState: {
    schema: z.object({ setId: z.int(), best: round(), background: z.array(round()) }),
    example: {
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
  grandpa_proveFinality: { schema: z.nullable(hexResult()), example: null },
  grandpa_subscribeJustifications: { schema: hexResult() },
} satisfies MethodResults;

export const mmrResults = {
  mmr_root: { schema: hashResult(), example: `0x${'5c'.repeat(32)}` },
  mmr_generateProof: {
    schema: z.object({ blockHash: hashResult(), leaves: hexResult(), proof: hexResult() }),
    example: proof,
  },
  mmr_verifyProof: { schema: z.boolean(), example: true },
  mmr_verifyProofStateless: { schema: z.boolean(), example: true },
} satisfies MethodResults;

export const votersResults = {
  dev_grandpa: {
    schema: z.nullable(
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
    example: {
      setId: '0',
      totalWeight: '1',
      thresholdWeight: '1',
      authorities: [{ id: someHash, weight: '1', isOwn: true }],
      changes: [],
      justified: { hash: someHash, number: 3, round: '2' },
      doubleVotes: [],
    },
  },
} satisfies MethodResults;
