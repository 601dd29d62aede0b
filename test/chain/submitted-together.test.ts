import { expect, it } from 'vitest';
import { findCall } from '../../src/scale/calls.ts';
import { fromHex } from '../../src/scale/hex.ts';
import { createRuntimeMeta } from '../../src/scale/runtime.ts';
import { concatBytes } from '../../worker/bytes/bytes.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import { Writer } from '../../worker/bytes/writer.ts';
import { blockHashToBytes } from '../../worker/codec/identity.ts';
import { mockTransaction, signTransaction } from '../../worker/dev/transaction.ts';
import type { Node } from '../../worker/node.ts';
import { createRpcServer } from '../../worker/rpc/server.ts';
import { openAt } from '../consensus/verify-rig.ts';
import { createRandom } from '../rigs/random.ts';
import { connectRpc } from '../rigs/rpc.ts';

const startMs = Date.UTC(2031, 0, 1);
/** //Alice. */
const alice = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const names = ['//Alice', '//Bob', '//Charlie', '//Dave', '//Eve', '//Ferdie'];

type Call = { readonly method: string; readonly params: readonly unknown[] };

/** What clients send: most are good, in a random order. */
const createCalls = async (node: Node, seed: number, count: number): Promise<Call[]> => {
  const { crypto, chain } = node.parts;
  const { call } = connectRpc(node);
  const meta = createRuntimeMeta(fromHex(await call<string>('state_getMetadata')));
  const transfer = findCall(meta, 'Balances', 'transfer_keep_alive');
  if (transfer === null) throw new Error('the runtime has no transfer');
  const version = await call<{ specVersion: number; transactionVersion: number }>('state_getRuntimeVersion');
  const genesis = blockHashToBytes(chain.base.hash);
  const pairs = names.map((name) => crypto.suriToPair(name, 'sr25519'));
  const random = createRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const nonces = names.map(() => 0);
  const made: string[] = [];
  const submit = (extrinsic: string): Call => ({ method: 'author_submitExtrinsic', params: [extrinsic] });
  const one = (): Call => {
    const kind = below(100);
    if (kind < 3) return { method: 'engine_createBlock', params: [true, false] };
    if (kind < 6) return { method: 'author_pendingExtrinsics', params: [] };
    if (kind < 8) return { method: 'dev_impersonate', params: [alice, below(2) === 0] };
    if (kind < 10) return submit(bytesToHex(Uint8Array.of(below(256), below(256), 4)));
    if (kind < 20 && made.length > 0) return submit(made[below(made.length)] as string);
    const who = below(names.length);
    const from = pairs[who] as (typeof pairs)[number];
    const to = pairs[below(names.length)] as (typeof pairs)[number];
    const value = new Writer(16).compact(1_000_000_000 + below(5)).finish();
    const bytes = concatBytes(Uint8Array.from(transfer.index), Uint8Array.of(0), to.publicKey, value);
    const jump = below(20) === 0 ? 1 + below(3) : below(20) === 0 ? -1 : 0;
    const nonce = Math.max(0, (nonces[who] as number) + jump);
    if (jump >= 0) nonces[who] = nonce + 1;
    const signing = { nonce, genesis, version };
    if (kind < 26) return submit(bytesToHex(mockTransaction(meta, bytes, from.publicKey, signing)));
    const extrinsic = signTransaction(crypto, meta, bytes, from, signing);
    if (kind < 32) {
      const at = 2 + 1 + 33 + 1 + below(64);
      extrinsic[at] = (extrinsic[at] as number) ^ (1 << below(8));
    }
    made.push(bytesToHex(extrinsic));
    return submit(bytesToHex(extrinsic));
  };
  const all = Array.from({ length: count }, one);
  // Out of order.
  for (let round = 0; round < count / 10; round++) {
    const [a, b] = [below(count), below(count)];
    [all[a], all[b]] = [all[b] as Call, all[a] as Call];
  }
  return all;
};

const openServer = async (limit: number, banSeconds: number) => {
  const node = await openAt(startMs, 'development', {
    keys: ['//Alice'],
    pool: { limit, banSeconds },
  });
  const connection = createRpcServer(node.parts).connect(() => undefined, {
    dialect: 'polkadot-sdk',
    denyUnsafe: false,
    transport: 'ws',
  });
  const ask = async (body: unknown): Promise<unknown> =>
    JSON.parse((await connection.handle(JSON.stringify(body))) as string);
  const state = () => ({
    pending: node.parts.pool.pending().map(bytesToHex),
    future: node.parts.pool.future().map(({ hash }) => hash),
    number: node.parts.chain.best().number,
    banned: node.parts.pool.banned().map(([hash]) => hash),
  });
  return { node, ask, state };
};

/** Seals are random, and with them the hashes of blocks. */
const withoutBlocks = (answers: unknown): unknown =>
  (answers as { result?: unknown }[]).map((answer) =>
    typeof answer.result === 'object' && answer.result !== null && 'hash' in answer.result
      ? { ...answer, result: 'a block' }
      : answer,
  );

const bodyOf = ({ method, params }: Call, id: number) => ({ jsonrpc: '2.0', id, method, params });

it.each([4, 5, 6])(
  'calls in one batch have the results and the effects of the same calls one by one (%i)',
  async (seed) => {
    const limit = seed % 2 === 0 ? 8192 : 20;
    const together = await openServer(limit, seed % 3 === 0 ? 1800 : 0);
    const alone = await openServer(limit, seed % 3 === 0 ? 1800 : 0);
    const calls = await createCalls(together.node, seed, 300);
    const answers = await together.ask(calls.map(bodyOf));
    const expected: unknown[] = [];
    for (const [id, call] of calls.entries()) expected.push(await alone.ask(bodyOf(call, id)));
    expect(withoutBlocks(answers)).toEqual(withoutBlocks(expected));
    expect(together.state()).toEqual(alone.state());
    await together.node.close();
    await alone.node.close();
  },
  120_000,
);
