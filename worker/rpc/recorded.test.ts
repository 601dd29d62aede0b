import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createRoutes, rpcTable } from '../../src/protocol/rpc/index.ts';
import { createTestPlatform, testConfig } from '../../test/platform.ts';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import { encodeHeader } from '../codec/header.ts';
import { createNode, type Node } from '../node.ts';
import { createRpcServer } from './server.ts';

const folder = new URL('../../../shared/fixtures/sdk-node/', import.meta.url);
const isThere = existsSync(new URL('static.jsonl', folder));
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
const lines = <T>(name: string): T[] =>
  read(name)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

type RecordedBlock = {
  block: {
    header: {
      parentHash: string;
      number: string;
      stateRoot: string;
      extrinsicsRoot: string;
      digest: { logs: string[] };
    };
    extrinsics: string[];
  };
};
type Recorded = {
  request: { method: string; params?: unknown };
  response: { result?: unknown; error?: { code: number; message: string; data?: string } };
};

/** Where this node differs from the recording, each with its reason. */
const differences: readonly (readonly [reason: string, (one: Recorded) => boolean])[] = [
  [
    'names of another implementation',
    ({ request }) => ['system_name', 'system_version', 'rpc_methods'].includes(request.method),
  ],
  ['this node has no network', ({ request }) => request.method === 'system_syncState'],
  [
    'generated keys are random',
    ({ request, response }) => /rotateKeys/.test(request.method) && 'result' in response,
  ],
  ['engine_* is always there', ({ request }) => request.method.startsWith('engine_')],
  [
    'undecodable extrinsics are 1001 in every method (RPC.md, Dialects)',
    ({ response }) => response.error?.code === 1040,
  ],
  [
    'hex accounts are accepted, SS58 texts differ (RPC.md §0.1)',
    ({ request, response }) => /account/i.test(request.method) && response.error?.code === -32602,
  ],
  ['the answer is left out of the recording', ({ response }) => JSON.stringify(response).includes('$blob')],
  ['the node that was asked banned it before', ({ response }) => response.error?.code === 1012],
  [
    'justifications are not kept yet',
    ({ request, response }) =>
      request.method === 'chain_getBlock' && JSON.stringify(response).includes('"justifications":[['),
  ],
  [
    'the recording stands at another finalized block',
    ({ request }) => /Finali[sz]edHead/.test(request.method),
  ],
];

const importRecorded = async (node: Node): Promise<void> => {
  for (const { block } of lines<RecordedBlock>('blocks.jsonl')) {
    const { header } = block;
    const bytes = encodeHeader({
      parentHash: hexToBytes(header.parentHash),
      number: Number(header.number),
      stateRoot: hexToBytes(header.stateRoot),
      extrinsicsRoot: hexToBytes(header.extrinsicsRoot),
      digest: header.digest.logs.map(hexToBytes),
    });
    await node.importBlock({ header: bytesToHex(bytes), extrinsics: block.extrinsics });
  }
};

/** Wasm backtraces differ between engines: only the first words of a trap are compared. */
const simplify = (value: unknown): unknown => {
  const { code, message, data } = (value ?? {}) as { code?: number; message?: string; data?: string };
  const isTrap = `${message} ${data}`.includes('Execution failed: Execution aborted due to trap');
  return isTrap ? { code, trap: true } : value;
};
const isOurTrap = (value: unknown): unknown => {
  const { code, message, data } = (value ?? {}) as { code?: number; message?: string; data?: string };
  const text = `${message} ${data}`;
  return text.includes('Execution failed: ') && !text.includes('Exported method')
    ? { code, trap: true }
    : value;
};

/** The order of a proof's nodes is not specified. */
const sortProof = (value: unknown): unknown => {
  const { proof } = (value ?? {}) as { proof?: string[] };
  return Array.isArray(proof) ? { ...(value as object), proof: [...proof].sort() } : value;
};

describe.skipIf(!isThere)('answers as a native node gave them', () => {
  it('agrees in every method of the table', { timeout: 120_000 }, async () => {
    const platform = createTestPlatform();
    const config = testConfig({ specJson: read('spec.json') }, { finality: { kind: 'manual' } });
    const node = await createNode(platform, config);
    await importRecorded(node);
    const server = createRpcServer(node.parts);
    const connection = server.connect(() => undefined, {
      dialect: 'polkadot-sdk',
      denyUnsafe: false,
      transport: 'http',
    });
    const routes = createRoutes(rpcTable);
    const wrong: unknown[] = [];
    let compared = 0;
    for (const one of lines<Recorded>('static.jsonl')) {
      if (!routes.has(one.request.method) || differences.some(([, applies]) => applies(one))) continue;
      const answer = JSON.parse(
        (await connection.handle(JSON.stringify(one.request))) ?? 'null',
      ) as Recorded['response'];
      const expected =
        one.response.error === undefined
          ? { result: sortProof(one.response.result) }
          : { error: simplify(one.response.error) };
      const got =
        answer.error === undefined
          ? { result: sortProof(answer.result) }
          : { error: isOurTrap(answer.error) };
      compared++;
      if (JSON.stringify(got) !== JSON.stringify(expected))
        wrong.push({ request: one.request, got, expected });
    }
    await node.close();
    expect(wrong.map((one) => JSON.stringify(one).slice(0, 900))).toEqual([]);
    expect(compared).toBeGreaterThan(200);
  });
});
