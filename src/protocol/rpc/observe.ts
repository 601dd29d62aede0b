import * as z from 'zod/mini';
import { call, subscription } from './define.ts';
import { bytes, hash, optional } from './params.ts';
import { logLevel, logLevels } from './params-dev.ts';
import { hashResult, hexResult, statusResult } from './results.ts';

const someHash = `0x${'91'.repeat(32)}`;
const limitsResult = () => z.object({ min: z.int(), max: z.nullable(z.int()) });
const milliseconds = () => z.number().check(z.nonnegative());

/** The node's internals: its runtime's module, its keys, its timings, its log. */
export const observe = {
  dev_runtimeInfo: call({
    doc: "The Wasm module of a block's runtime, or of `code` that could replace it: name and version, sizes in bytes of the stored code and of the module, its hash, imports (types: i = i32, I = i64), exported functions, memory limits in pages of 64 KiB.",
    params: { at: optional(hash()), code: optional(bytes()) },
    result: z.object({
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
      exports: z.array(z.string()),
    }),
    safety: 'unsafe',
    example: {
      args: {},
      result: {
        codeHash: someHash,
        codeBytes: 800_000,
        specName: 'tabnode',
        specVersion: 101,
        moduleBytes: 4_000_000,
        memory: { min: 22, max: null },
        imports: [
          { module: 'env', name: 'ext_storage_get_version_1', kind: 'func', params: 'I', results: 'I' },
        ],
        exports: ['Core_version'],
      },
    },
  }),
  dev_listKeys: call({
    doc: 'The keys in the keystore: type, scheme (null if the stored secret fits none) and public key. Secrets are never returned.',
    params: {},
    result: z.array(
      z.object({
        keyType: z.string(),
        scheme: z.nullable(z.enum(['sr25519', 'ed25519', 'ecdsa'])),
        publicKey: hexResult(),
      }),
    ),
    safety: 'unsafe',
    example: { args: {}, result: [{ keyType: 'aura', scheme: 'sr25519', publicKey: someHash }] },
  }),
  dev_stats: call({
    doc: 'Times of the last blocks in milliseconds, oldest first (for imported blocks buildMs is null and importMs includes execution); live Wasm instances with their pages of 64 KiB; stored bytes, if the platform reports them.',
    params: {},
    result: z.object({
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
    safety: 'unsafe',
    example: {
      args: {},
      result: {
        blocks: [{ hash: someHash, number: 1, buildMs: 12.5, importMs: 0.4, commitMs: 1.5 }],
        wasm: { instances: 1, pages: 40 },
        storedBytes: 1_000_000,
      },
    },
  }),
  dev_status: call({
    doc: 'The node at a glance: its chain and heads, how many transactions are ready and future, its seal and finality modes, where it stores blocks and whether it can, its runtime, and what an operator declared that other nodes may not accept: edited state, impersonated accounts, mock signatures, trusted blocks.',
    params: {},
    result: statusResult(),
    safety: 'unsafe',
    example: {
      args: {},
      result: {
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
        equivocations: { count: 0, last: null },
      },
    },
  }),
  dev_subscribeLogs: subscription({
    doc: 'New log lines of runtimes and the node, up to a level or, by default, as filtered by `system_addLogFilter` (initially `info`), with the number of the block that was built, run or followed. `debug` and `trace` make the runtime log that much.',
    params: { level: optional(logLevel()) },
    result: z.object({
      at: z.number(),
      level: z.enum(logLevels),
      target: z.string(),
      text: z.string(),
      block: z.nullable(z.int()),
    }),
    safety: 'unsafe',
    event: 'dev_log',
    unsubscribe: 'dev_unsubscribeLogs',
  }),
};
