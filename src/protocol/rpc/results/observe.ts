import * as z from 'zod/mini';
import type { MethodResults } from '../define.ts';
import { logLevels } from '../params/dev.ts';
import { hashResult, hexResult, statusResult } from './schemas.ts';

const someHash = `0x${'91'.repeat(32)}`;
const limitsResult = () => z.object({ min: z.int(), max: z.nullable(z.int()) });
const milliseconds = () => z.number().check(z.nonnegative());

export const observeResults = {
  dev_runtimeInfo: {
    schema: z.object({
      codeHash: hashResult(),
      codeBytes: z.int(),
      specName: z.string(),
      specVersion: z.int(),
      moduleBytes: z.int(),
      memory: limitsResult(),
      imports: z.array(
        z.object({
          module: z.string(),
          name: z.string(),
          kind: z.enum(['func', 'table', 'memory', 'global']),
          params: z.string(),
          results: z.string(),
        }),
      ),
      missing: z.array(z.string()),
      exports: z.array(z.string()),
    }),
    example: {
      codeHash: someHash,
      codeBytes: 800_000,
      specName: 'tabnode',
      specVersion: 101,
      moduleBytes: 4_000_000,
      memory: { min: 22, max: null },
      imports: [
        { module: 'env', name: 'ext_storage_get_version_1', kind: 'func', params: 'I', results: 'I' },
      ],
      missing: [],
      exports: ['Core_version'],
    },
  },
  dev_listKeys: {
    schema: z.array(
      z.object({
        keyType: z.string(),
        scheme: z.nullable(z.enum(['sr25519', 'ed25519', 'ecdsa'])),
        publicKey: hexResult(),
      }),
    ),
    example: [{ keyType: 'aura', scheme: 'sr25519', publicKey: someHash }],
  },
  dev_stats: {
    schema: z.object({
      blocks: z.array(
        z.object({
          hash: hashResult(),
          number: z.int(),
          buildMs: z.nullable(milliseconds()),
          importMs: milliseconds(),
          commitMs: milliseconds(),
        }),
      ),
      wasm: z.object({ instances: z.int(), pages: z.int() }),
      storedBytes: z.int(),
    }),
    example: {
      blocks: [{ hash: someHash, number: 1, buildMs: 12.5, importMs: 0.4, commitMs: 1.5 }],
      wasm: { instances: 1, pages: 40 },
      storedBytes: 1_000_000,
    },
  },
  dev_status: {
    schema: statusResult(),
    example: {
      chainName: 'Development',
      genesisHash: someHash,
      bestNumber: 5,
      bestHash: someHash,
      finalizedNumber: 4,
      finalizedHash: someHash,
      ready: 0,
      future: 0,
      seal: { kind: 'interval', ms: 2000 },
      sealFault: null,
      finality: { kind: 'delayed', ms: 1500 },
      finalityChosen: false,
      finalityUndecided: false,
      storage: 'memory',
      storageFault: null,
      specName: 'tabnode',
      specVersion: 101,
      modified: false,
      edited: [],
      impersonated: [],
      mockSignatures: false,
      trustBlocks: false,
      ignoredSpecFields: [],
      statePruning: 'archive',
      clockMovedToMs: 0,
      fork: null,
      equivocations: { count: 0, last: null },
    },
  },
  dev_subscribeLogs: {
    schema: z.object({
      at: z.number(),
      level: z.enum(logLevels),
      target: z.string(),
      text: z.string(),
      block: z.nullable(z.int()),
    }),
  },
} satisfies MethodResults;
