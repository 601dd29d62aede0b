import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openRecordedChain } from '../../test/chain/recorded-chain.ts';
import { createTestPlatform, testConfig } from '../../test/rigs/platform.ts';
import { createNode, type Node } from '../node.ts';
import { createRpcServer } from './server.ts';

const folder = new URL('../../../shared/fixtures/sdk-node/', import.meta.url);
const chains = new URL('../../../shared/fixtures/chains/', import.meta.url);
const isThere = existsSync(new URL('static.jsonl', folder));
const read = (name: string, from = folder): string => readFileSync(new URL(name, from), 'utf8');
/** Without the positions of the native JSON decoder, which are in a text that only it sees. */
const lines = <T>(name: string): T[] =>
  read(name)
    .trim()
    .replaceAll(/ at line \d+ column \d+/g, '')
    .split('\n')
    .map((line) => JSON.parse(line) as T);

type Answer = { result?: unknown; error?: { code: number; message: string; data?: string } };
type Recorded = { request: { method: string; params?: unknown }; response: Answer };
type Rule = readonly [reason: string, applies: (one: Recorded) => boolean];

const calls =
  (...names: readonly (string | RegExp)[]) =>
  ({ request }: Recorded): boolean =>
    names.some((name) => (typeof name === 'string' ? name === request.method : name.test(request.method)));

/** Permanent differences between this node and the recording, each with its reason. */
const differences: readonly Rule[] = [
  ['identity: the names of another implementation', calls('system_name', 'system_version')],
  ['identity: the random key of another node', calls('system_localPeerId', 'system_unstable_networkState')],
  ['the lists of names are compared in scripts/docs.test.ts', calls('rpc_methods')],
  [
    'random: made anew by each node',
    ({ request, response }) =>
      /^(author_rotateKeys|transaction_v1_broadcast)/.test(request.method) && response.error === undefined,
  ],
  [
    'the recorded node ran without --enable-log-reloading',
    ({ request, response }) => request.method === 'system_addLogFilter' && response.error?.code === -32603,
  ],
  ['the answer is left out of the recording', ({ response }) => JSON.stringify(response).includes('"$blob"')],
];

/** Missing features by topic. This list may only shrink. */
const notYet: readonly Rule[] = [['finality: the voter', calls('grandpa_roundState')]];

/** Wasm backtraces differ between engines, so for a trap only the error code is compared. */
const simplify = (error: Answer['error'], isOurs: boolean): unknown => {
  const text = `${error?.message} ${error?.data}`;
  const isTrap = isOurs
    ? text.includes('Execution failed: ') && !text.includes('Exported method')
    : text.includes('Execution failed: Execution aborted due to trap');
  return isTrap ? { code: error?.code, trap: true } : error;
};

type Failure = { readonly success?: boolean; readonly error?: string };

/**
 * The order of a proof's nodes is not specified. An address of a peer that is refused is explained in one sentence here, natively
 * in one for each fault of its grammar: the codes are compared.
 */
const comparable = ({ result, error }: Answer, isOurs: boolean, method: string): unknown => {
  if (error !== undefined && method === 'system_addReservedPeer') return { code: error.code };
  if (error !== undefined) return { error: simplify(error, isOurs) };
  const failure = (result ?? {}) as Failure;
  if (failure.success === false && failure.error !== undefined)
    return { failure: simplify({ code: 0, message: failure.error }, isOurs) };
  const { proof } = (result ?? {}) as { proof?: unknown };
  return Array.isArray(proof) ? { ...(result as object), proof: [...proof].sort() } : { result };
};

const replay = async (node: Node, name: string) => {
  const server = createRpcServer(node.parts);
  const settings = { dialect: 'polkadot-sdk', denyUnsafe: false, transport: 'http' } as const;
  const connection = server.connect(() => undefined, settings);
  const wrong: unknown[] = [];
  let compared = 0;
  const left = new Set<string>();
  for (const one of lines<Recorded>(name)) {
    const answer = JSON.parse((await connection.handle(JSON.stringify(one.request))) ?? 'null') as Answer;
    const rule = [...differences, ...notYet].find(([, applies]) => applies(one));
    const got = comparable(answer, true, one.request.method);
    const expected = comparable(one.response, false, one.request.method);
    const isEqual = JSON.stringify(got) === JSON.stringify(expected);
    if (rule !== undefined) {
      left.add(rule[0]);
      continue;
    }
    compared++;
    if (!isEqual) wrong.push({ request: one.request, got, expected });
  }
  return { wrong: wrong.map((one) => JSON.stringify(one).slice(0, 1500)), compared, left };
};

describe.skipIf(!isThere)('matches recorded responses of a native node', () => {
  it('on a chain of 63 blocks', { timeout: 120_000 }, async () => {
    const node = await openRecordedChain({ seal: { kind: 'slots' } });
    const { wrong, compared } = await replay(node, 'static.jsonl');
    await node.close();
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(410);
  });

  it.each(['westend-dev', 'westend'])('at the genesis of %s', { timeout: 60_000 }, async (name) => {
    const specJson = read(`${name}-raw.json`, chains);
    const node = await createNode(createTestPlatform(), testConfig({ specJson }, { keys: [] }));
    const { wrong, compared } = await replay(node, `${name}.jsonl`);
    await node.close();
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(25);
  });
});
