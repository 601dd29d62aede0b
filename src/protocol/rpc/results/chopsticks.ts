import * as z from 'zod/mini';
import type { MethodResults } from '../define.ts';
import { hashResult, hexResult, readProofResult } from './schemas.ts';

/** Values by pallet, item and key, or by the whole key. */
const storageResult = () => z.record(z.string(), z.unknown());

/** `ReplayReport`. */
const replayResult = () =>
  z.object({
    number: z.int(),
    hash: hashResult(),
    parentHash: hashResult(),
    specName: z.string(),
    specVersion: z.int(),
    extrinsics: z.int(),
    stateRoot: hashResult(),
    computedRoot: z.nullable(hashResult()),
    isSame: z.boolean(),
    difference: z.nullable(
      z.object({
        phase: z.nullable(z.string()),
        why: z.string(),
        here: storageResult(),
        there: storageResult(),
      }),
    ),
    requests: z.int(),
    bytes: z.int(),
    executionMs: z.number(),
    phases: z.nullable(
      z.readonly(
        z.array(
          z.object({
            phase: z.string(),
            ms: z.number(),
            logs: z.readonly(z.array(z.string())),
            dispatchError: z.nullable(z.string()),
            weight: z.nullable(z.object({ refTime: z.string(), proofSize: z.nullable(z.string()) })),
            events: z.nullable(z.readonly(z.array(z.object({ name: z.string(), data: z.unknown() })))),
            old: storageResult(),
            new: storageResult(),
          }),
        ),
      ),
    ),
  });

/** Pallet and name, as polkadot-js spells them, with arguments by position and by name. */
const namedResult = () => ({
  section: z.string(),
  method: z.string(),
  args: z.array(z.unknown()),
  argObj: z.record(z.string(), z.unknown()),
});

/** A phase: `Initialization`, the index of an extrinsic, or `Finalization`. */
const phaseResult = () => z.union([z.string(), z.int()]);

/** The execution of a block that need not be in the chain, in the form of chopsticks. */
const givenBlockResult = () =>
  z.object({
    phases: z.array(
      z.object({
        phase: phaseResult(),
        storageDiff: z.array(
          z.object({
            raw: z.optional(z.object({ key: hexResult(), value: z.nullable(hexResult()) })),
            parsed: z.optional(
              z.object({
                section: z.string(),
                method: z.string(),
                key: z.array(z.unknown()),
                value: z.unknown(),
              }),
            ),
          }),
        ),
        logs: z.array(z.string()),
      }),
    ),
    blockDetails: z.optional(
      z.object({
        events: z.array(z.object({ phase: phaseResult(), ...namedResult() })),
        extrinsics: z.array(
          z.object({ ...namedResult(), success: z.boolean(), signer: z.nullable(z.string()) }),
        ),
      }),
    ),
  });

const someHash = `0x${'91'.repeat(32)}`;

export const chopsticksResults = {
  dev_setBlockBuildMode: { schema: z.null(), example: null },
  dev_setRuntimeLogLevel: { schema: z.null(), example: null },
  dev_getReadProof: {
    schema: z.extend(readProofResult(), { stateRoot: hashResult() }),
    example: { at: someHash, proof: ['0x00'], stateRoot: someHash },
  },
  dev_runBlock: {
    schema: z.union([replayResult(), givenBlockResult()]),
    example: {
      number: 5,
      hash: someHash,
      parentHash: someHash,
      specName: 'tabnode',
      specVersion: 101,
      extrinsics: 1,
      stateRoot: someHash,
      computedRoot: someHash,
      isSame: true,
      difference: null,
      requests: 0,
      bytes: 0,
      executionMs: 2.5,
      phases: [
        {
          phase: 'extrinsic 0',
          ms: 0.4,
          logs: [],
          dispatchError: null,
          weight: { refTime: '261973000', proofSize: '1493' },
          events: [{ name: 'System.ExtrinsicSuccess', data: {} }],
          old: { timestamp: { now: '1893456000000' } },
          new: { timestamp: { now: '1893456006000' } },
        },
      ],
    },
  },
} satisfies MethodResults;
