import * as z from 'zod/mini';
import type { MethodResults } from '../define.ts';
import { changeSetResult, hashResult, hexResult, readProofResult, runtimeVersionResult } from './schemas.ts';

const code = '0x3a636f6465';
const someHash = `0x${'91'.repeat(32)}`;

export const stateResults = {
  state_call: { schema: hexResult(), example: '0x00' },
  state_getKeys: { schema: z.array(hexResult()), example: [code] },
  state_getPairs: { schema: z.array(z.tuple([hexResult(), hexResult()])), example: [[code, '0x00']] },
  state_getKeysPaged: { schema: z.array(hexResult()), example: [code] },
  state_getStorage: { schema: z.nullable(hexResult()), example: '0x00' },
  state_getStorageHash: { schema: z.nullable(hashResult()), example: null },
  state_getStorageSize: { schema: z.nullable(z.int()), example: 1 },
  state_getMetadata: { schema: hexResult(), example: '0x6d657461' },
  state_getRuntimeVersion: {
    schema: runtimeVersionResult(),
    example: {
      specName: 'tabnode',
      implName: 'tabnode',
      authoringVersion: 1,
      specVersion: 1,
      implVersion: 1,
      apis: [['0xdf6acb689907609b', 5]],
      transactionVersion: 1,
      systemVersion: 1,
      stateVersion: 1,
    },
  },
  state_queryStorage: {
    schema: z.array(changeSetResult()),
    example: [{ block: someHash, changes: [[code, '0x00']] }],
  },
  state_queryStorageAt: {
    schema: z.array(changeSetResult()),
    example: [{ block: someHash, changes: [[code, null]] }],
  },
  state_getReadProof: { schema: readProofResult(), example: { at: someHash, proof: ['0x00'] } },
  state_getChildReadProof: { schema: readProofResult(), example: { at: someHash, proof: ['0x00'] } },
  state_callRecorded: { schema: hexResult(), example: '0x' },
  state_trieMigrationStatus: {
    schema: z.object({
      topRemainingToMigrate: z.int(),
      childRemainingToMigrate: z.int(),
      totalTop: z.int(),
      totalChild: z.int(),
    }),
    example: { topRemainingToMigrate: 0, childRemainingToMigrate: 0, totalTop: 217, totalChild: 13 },
  },
  state_traceBlock: {
    schema: z.object({
      blockTrace: z.object({
        blockHash: z.string(),
        parentHash: z.string(),
        tracingTargets: z.string(),
        storageKeys: z.string(),
        methods: z.string(),
        spans: z.array(
          z.object({
            id: z.int(),
            parentId: z.nullable(z.int()),
            name: z.string(),
            target: z.string(),
            wasm: z.boolean(),
          }),
        ),
        events: z.array(
          z.object({
            target: z.string(),
            data: z.object({ stringValues: z.record(z.string(), z.string()) }),
            parentId: z.nullable(z.int()),
          }),
        ),
      }),
    }),
    example: {
      blockTrace: {
        blockHash: '91'.repeat(32),
        parentHash: '90'.repeat(32),
        tracingTargets: 'pallet,frame,state',
        storageKeys: '26aa394e',
        methods: 'Put',
        spans: [],
        events: [],
      },
    },
  },
  state_subscribeStorage: { schema: changeSetResult() },
  state_subscribeRuntimeVersion: { schema: runtimeVersionResult() },
} satisfies MethodResults;

export const childstateResults = {
  childstate_getKeys: { schema: z.array(hexResult()), example: [] },
  childstate_getKeysPaged: { schema: z.array(hexResult()), example: [] },
  childstate_getStorage: { schema: z.nullable(hexResult()), example: null },
  childstate_getStorageEntries: { schema: z.array(z.nullable(hexResult())), example: [null, null] },
  childstate_getStorageHash: { schema: z.nullable(hashResult()), example: null },
  childstate_getStorageSize: { schema: z.nullable(z.int()), example: null },
} satisfies MethodResults;
