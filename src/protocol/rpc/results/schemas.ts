import * as z from 'zod/mini';

/** Lower-case `0x` hex of any length. */
export const hexResult = () => z.string().check(z.regex(/^0x(?:[0-9a-f]{2})*$/));
/** A 32-byte hash as lower-case hex. */
export const hashResult = () => z.string().check(z.regex(/^0x[0-9a-f]{64}$/));

/** Must not get further members, because strict clients reject them. */
export const headerResult = () =>
  z.object({
    parentHash: hashResult(),
    number: z.string().check(z.regex(/^0x(?:0|[1-9a-f][0-9a-f]*)$/)),
    stateRoot: hashResult(),
    extrinsicsRoot: hashResult(),
    digest: z.object({ logs: z.array(hexResult()) }),
  });

const justifications = () => z.nullable(z.array(z.tuple([z.array(z.int()), z.array(z.int())])));

/** The `justification` member exists only under psp-6. */
export const signedBlockResult = () =>
  z.object({
    block: z.object({ header: headerResult(), extrinsics: z.array(hexResult()) }),
    justification: z.optional(z.nullable(hexResult())),
    justifications: justifications(),
  });

/** Contains both `systemVersion` and its older name. */
export const runtimeVersionResult = () =>
  z.object({
    specName: z.string(),
    implName: z.string(),
    authoringVersion: z.int(),
    specVersion: z.int(),
    implVersion: z.int(),
    apis: z.array(z.tuple([hexResult(), z.int()])),
    transactionVersion: z.int(),
    systemVersion: z.int(),
    stateVersion: z.int(),
  });

export const changeSetResult = () =>
  z.object({ block: hashResult(), changes: z.array(z.tuple([hexResult(), z.nullable(hexResult())])) });

export const readProofResult = () => z.object({ at: hashResult(), proof: z.array(hexResult()) });

export const extrinsicStatusResult = () =>
  z.union([
    z.enum(['future', 'ready', 'dropped', 'invalid']),
    z.object({ broadcast: z.array(z.string()) }),
    z.object({ inBlock: hashResult() }),
    z.object({ retracted: hashResult() }),
    z.object({ finalityTimeout: hashResult() }),
    z.object({ finalized: hashResult() }),
    z.object({ usurped: hashResult() }),
  ]);

const delayed = () => z.literal('delayed');

/** `ForkStatus`. */
const forkResult = () =>
  z.object({
    name: z.string(),
    base: z.object({ hash: hashResult(), number: z.int() }),
    chosenAs: z.enum(['finalized', 'best', 'hash', 'number']),
    endpoints: z.readonly(
      z.array(
        z.object({
          name: z.string(),
          state: z.enum(['asking', 'fit', 'failing', 'liar', 'unfit']),
          problem: z.nullable(z.string()),
          requests: z.int(),
          bytes: z.int(),
          failures: z.int(),
          lies: z.int(),
          latencyMs: z.nullable(z.number()),
          states: z.nullable(z.enum(['all', 'recent'])),
        }),
      ),
    ),
    requests: z.int(),
    bytes: z.int(),
    lies: z.int(),
    shared: z.nullable(z.object({ found: z.int(), limitBytes: z.int() })),
    untruths: z.readonly(z.array(z.string())),
  });

/** `NodeStatus`. */
export const statusResult = () =>
  z.object({
    chainName: z.string(),
    genesisHash: hashResult(),
    bestNumber: z.int(),
    bestHash: hashResult(),
    finalizedNumber: z.int(),
    base: z.optional(z.object({ hash: hashResult(), number: z.int() })),
    finalizedHash: hashResult(),
    ready: z.int(),
    future: z.int(),
    seal: z.union([
      z.object({ kind: z.enum(['manual', 'instant', 'slots']) }),
      z.object({ kind: z.literal('interval'), ms: z.number() }),
    ]),
    sealFault: z.nullable(z.object({ code: z.string(), message: z.string() })),
    finality: z.union([
      z.object({ kind: delayed(), ms: z.number() }),
      z.object({ kind: delayed(), blocks: z.int() }),
      z.object({ kind: z.enum(['instant', 'manual', 'grandpa']) }),
    ]),
    finalityChosen: z.boolean(),
    finalityUndecided: z.boolean(),
    storage: z.enum(['memory', 'indexeddb', 'sqlite']),
    storageFault: z.nullable(z.object({ code: z.string(), message: z.string() })),
    specName: z.string(),
    specVersion: z.int(),
    modified: z.boolean(),
    edited: z.readonly(z.array(hashResult())),
    impersonated: z.readonly(z.array(hexResult())),
    mockSignatures: z.boolean(),
    trustBlocks: z.boolean(),
    ignoredSpecFields: z.readonly(z.array(z.string())),
    statePruning: z.union([z.enum(['archive', 'archive-canonical']), z.int()]),
    clockMovedToMs: z.int(),
    fork: z.nullable(forkResult()),
    equivocations: z.object({
      count: z.int(),
      last: z.nullable(
        z.object({
          engine: z.enum(['babe', 'aura']),
          slot: z.string(),
          offender: hexResult(),
          blocks: z.readonly(z.tuple([hashResult(), hashResult()])),
        }),
      ),
    }),
  });
