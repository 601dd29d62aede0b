import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findCall } from '../../src/scale/calls.ts';
import { fromHex } from '../../src/scale/hex.ts';
import { createRuntimeMeta } from '../../src/scale/runtime.ts';
import { concatBytes } from '../../worker/bytes/bytes.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import { Writer } from '../../worker/bytes/writer.ts';
import { rootOfExtrinsics } from '../../worker/chain/hashes.ts';
import type { Block } from '../../worker/codec/block.ts';
import { blockHashToBytes } from '../../worker/codec/identity.ts';
import { signTransaction } from '../../worker/dev/transaction.ts';
import type { Node } from '../../worker/node.ts';
import { createRpcServer } from '../../worker/rpc/server.ts';
import { openAt } from '../consensus/verify-rig.ts';
import { createRandom } from '../rigs/random.ts';
import { sealWith } from '../rigs/reseal.ts';
import { connectRpc } from '../rigs/rpc.ts';
import { useSignatureThreads } from '../rigs/signature-thread.ts';

const startMs = Date.UTC(2031, 0, 1);
const names = ['//Alice', '//Bob', '//Charlie', '//Dave', '//Eve', '//Ferdie'];
const transfers = 60;
/** Five for each signature. */
const flips = 300;
/** Behind the compact length, the version, and the address with its kind. */
const signatureAt = 2 + 1 + 33 + 1;

const threads = useSignatureThreads();
/** A node whose helper has started. */
const openHelped = () => threads.open(startMs);

const flipBit = (extrinsic: Uint8Array, bit: number): Uint8Array => {
  const changed = extrinsic.slice();
  const at = signatureAt + (bit >> 3);
  changed[at] = (changed[at] as number) ^ (1 << (bit & 7));
  return changed;
};

describe('a block of many signatures', () => {
  let author: Node;
  let block: Block;
  const signed: Uint8Array[] = [];
  let runtime: Awaited<ReturnType<Node['parts']['chain']['runtimeAt']>>;

  beforeAll(async () => {
    author = await openAt(startMs, 'development', { keys: ['//Alice'] });
    const { crypto, chain, pool } = author.parts;
    const { call } = connectRpc(author);
    const meta = createRuntimeMeta(fromHex(await call<string>('state_getMetadata')));
    const transfer = findCall(meta, 'Balances', 'transfer_keep_alive');
    if (transfer === null) throw new Error('the runtime has no transfer');
    const version = await call<{ specVersion: number; transactionVersion: number }>(
      'state_getRuntimeVersion',
    );
    const genesis = blockHashToBytes(chain.base.hash);
    const pairs = names.map((name) => crypto.suriToPair(name, 'sr25519'));
    for (let index = 0; index < transfers; index++) {
      const [from, to] = [pairs[index % 6], pairs[(index + 1) % 6]];
      if (from === undefined || to === undefined) throw new Error('no pair');
      const value = new Writer(16).compact(1_000_000_000 + index).finish();
      const bytes = concatBytes(Uint8Array.from(transfer.index), Uint8Array.of(0), to.publicKey, value);
      const nonce = Math.floor(index / 6);
      const extrinsic = signTransaction(crypto, meta, bytes, from, { nonce, genesis, version });
      signed.push(extrinsic);
      const submitted = await pool.submit(extrinsic, 2);
      if (!submitted.ok) throw new Error(JSON.stringify(submitted));
    }
    const sealed = await author.parts.author.seal({ createEmpty: false, finalize: false });
    if (!sealed.ok) throw new Error(sealed.message);
    block = (await chain.loadBlock(sealed.hash)) as Block;
    runtime = await chain.runtimeAt(sealed.hash);
    expect(block.extrinsics.length).toBeGreaterThan(transfers);
  }, 60_000);
  afterAll(() => author.close());

  /** The block as its author would have sealed it with another extrinsic in this place. */
  const withExtrinsic = (index: number, extrinsic: Uint8Array): Block => {
    const extrinsics = block.extrinsics.with(index, extrinsic);
    const extrinsicsRoot = rootOfExtrinsics(author.parts.crypto, runtime, extrinsics).root;
    return { header: sealWith(author.parts.crypto, { ...block.header, extrinsicsRoot }), extrinsics };
  };
  const inherents = () => block.extrinsics.length - transfers;

  it('is verified by one equation, and its signatures are known afterward', async () => {
    const node = await openAt(startMs, 'development', { keys: [] });
    const alone = vi.spyOn(node.parts.crypto, 'sr25519Verify');
    expect(await node.parts.chain.import(block)).toMatchObject({ ok: true, number: 1 });
    // The seal of the block.
    expect(alone).toHaveBeenCalledTimes(1);
    await node.close();
  });

  it.each([
    ['in this thread', () => openAt(startMs, 'development', { keys: [] }), false],
    ['by a helper', openHelped, false],
    ['by a helper that is killed again and again', openHelped, true],
  ] as const)(
    'is refused with one bad signature at each place, and the good block is accepted after: verified %s',
    async (_, open, kills) => {
      const node = await open();
      const alone = vi.spyOn(node.parts.crypto, 'sr25519Verify');
      const random = createRandom(20_261_129);
      for (let index = 0; index < flips; index++) {
        const at = inherents() + (index % transfers);
        const bad = withExtrinsic(
          at,
          flipBit(block.extrinsics[at] as Uint8Array, Math.floor(random() * 512)),
        );
        if (kills && index % 20 === 0) setImmediate(threads.kill);
        expect(await node.parts.chain.import(bad)).toMatchObject({ ok: false, code: 'BadBlock' });
      }
      // Each was found one by one, as without the equation.
      expect(alone.mock.calls.length).toBeGreaterThan(2 * flips);
      expect(await node.parts.chain.import(block)).toMatchObject({ ok: true, number: 1 });
      await node.close();
    },
    120_000,
  );

  it('is left to the helper while it is executed', async () => {
    const node = await openHelped();
    const helper = threads.helper();
    const verify = vi.spyOn(helper as NonNullable<typeof helper>, 'verify');
    const alone = vi.spyOn(node.parts.crypto, 'sr25519Verify');
    expect(await node.parts.chain.import(block)).toMatchObject({ ok: true, number: 1 });
    expect(verify.mock.calls.flatMap(([, claims]) => claims).length).toBe(transfers);
    expect(alone).toHaveBeenCalledTimes(1);
    await node.close();
  });

  it('was submitted in one batch of calls: a bad signature is refused, and the others enter in order', async () => {
    const node = await openAt(startMs, 'development', { keys: [] });
    const alone = vi.spyOn(node.parts.crypto, 'sr25519Verify');
    const bad = 17;
    const calls = [...signed.with(bad, flipBit(signed[bad] as Uint8Array, 8)), signed[0]].map(
      (extrinsic, id) => ({
        jsonrpc: '2.0',
        id,
        method: 'author_submitExtrinsic',
        params: [bytesToHex(extrinsic as Uint8Array)],
      }),
    );
    const connection = createRpcServer(node.parts).connect(() => undefined, {
      dialect: 'polkadot-sdk',
      denyUnsafe: false,
      transport: 'ws',
    });
    const answers = JSON.parse((await connection.handle(JSON.stringify(calls))) as string);
    expect(answers.map(({ id }: { id: number }) => id)).toEqual(calls.map(({ id }) => id));
    const refused = answers.flatMap(({ id, error }: { id: number; error?: { code: number } }) =>
      error === undefined ? [] : [[id, error.code]],
    );
    // Bad proof, and already imported.
    expect(refused).toEqual([
      [bad, 1010],
      [transfers, 1013],
    ]);
    const { pool } = node.parts;
    expect(pool.readyCount() + pool.futureCount()).toBe(transfers - 1);
    expect(alone.mock.calls.length).toBeLessThan(2 * transfers);
    await node.close();
  });
});
