import { describe, expect, it } from 'vitest';
import { parseJson, writeJson } from '../../src/protocol/json.ts';
import type { Dialect } from '../../src/protocol/node.ts';
import type { Entry } from '../../src/protocol/rpc/define.ts';
import { docOf } from '../../src/protocol/rpc/docs/docs.ts';
import { rpcTable } from '../../src/protocol/rpc/index.ts';
import { resultOf } from '../../src/protocol/rpc/results/results.ts';
import { createTestPlatform, testConfig } from '../../test/platform.ts';
import { createNode } from '../node.ts';
import { createRpcServer } from './server.ts';

/** The hash that examples use for an arbitrary block. Replaced by that of the best one. */
const someHash = `0x${'91'.repeat(32)}`;
const dialects: readonly Dialect[] = ['psp-6', 'polkadot-sdk'];

type Answer = { result?: unknown; error?: { code: number; message: string } };

/** Examples that a development chain with the default runtime refuses, each with its code and reason. */
const refusals: Readonly<Record<string, readonly [code: number, reason: string]>> = {
  author_submitExtrinsic: [1002, 'the extrinsic is made up: the runtime traps'],
  bitswap_v1_get: [-32810, 'no transaction is indexed'],
  beefy_getFinalizedHead: [-32601, 'the runtime has no BEEFY'],
  contracts_getStorage: [2, 'the account is no contract'],
  grandpa_roundState: [1, 'no voter runs'],
  mmr_root: [-32601, 'the runtime has no mountain range'],
  mmr_generateProof: [-32601, 'the runtime has no mountain range'],
  mmr_verifyProof: [-32601, 'the runtime has no mountain range'],
  mmr_verifyProofStateless: [-32601, 'the runtime has no mountain range'],
  grandpa_proveFinality: [4, 'the first authority set of the chain has not ended'],
  payment_queryInfo: [1, 'the extrinsic is made up: the runtime traps'],
  payment_queryFeeDetails: [1, 'the extrinsic is made up: the runtime traps'],
  state_callRecorded: [4004, 'nothing records'],
  system_dryRun: [1, 'the extrinsic is made up: the runtime traps'],
  transaction_v1_stop: [-32602, 'nothing is broadcast under that id'],
};

const open = async () => {
  const config = testConfig('development');
  const node = await createNode(createTestPlatform(), config);
  for (let i = 0; i < 2; i++) await node.parts.author.seal({ createEmpty: true, finalize: false });
  const server = createRpcServer(node.parts, { loadOpenRpc: async () => '{"openrpc":"1.3.2","methods":[]}' });
  const { hash } = node.parts.chain.best();
  const ask = async (dialect: Dialect, method: string, args: object): Promise<Answer> => {
    const connection = server.connect(() => undefined, { dialect, denyUnsafe: false, transport: 'port' });
    const request = writeJson({ jsonrpc: '2.0', id: 1, method, params: args }).replaceAll(someHash, hash);
    const answer = parseJson((await connection.handle(request)) ?? 'null') as Answer;
    connection.close();
    return answer;
  };
  return { node, ask };
};

/**
 * Methods that move the chain get a node of their own. Those of `dev` depend on each other and are tested in
 * test/dev-*.test.ts.
 */
const isDrastic = (name: string): boolean => name.startsWith('engine_');
const isElsewhere = (name: string): boolean => name.startsWith('dev_') && name !== 'dev_getBlockStats';

const examples = Object.entries<Entry>(rpcTable).filter(
  ([name, entry]) => entry.kind === 'call' && docOf(name).example !== undefined && !isElsewhere(name),
);

describe('the examples of the table, on a development chain', () => {
  it('return what their rows specify, in both dialects', { timeout: 120_000 }, async () => {
    const shared = await open();
    const wrong: unknown[] = [];
    for (const [name] of examples) {
      for (const dialect of dialects) {
        const { node, ask } = isDrastic(name) ? await open() : shared;
        const answer = await ask(dialect, name, docOf(name).example ?? {});
        const code = refusals[name]?.[0];
        const isRight =
          answer.error === undefined
            ? code === undefined && resultOf(name).schema.safeParse(answer.result).success
            : answer.error.code === code;
        if (!isRight) wrong.push({ name, dialect, answer: writeJson(answer).slice(0, 300) });
        if (isDrastic(name)) await node.close();
      }
    }
    await shared.node.close();
    expect(wrong).toEqual([]);
    expect(examples.length).toBeGreaterThan(60);
  });

  it('exist for every method that is a plain call', () => {
    const without = Object.entries<Entry>(rpcTable).filter(
      ([name, entry]) => entry.kind === 'call' && docOf(name).example === undefined,
    );
    expect(without.map(([name]) => name)).toEqual([]);
  });
});
