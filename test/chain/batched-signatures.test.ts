import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findCall } from '../../src/scale/calls.ts';
import { fromHex } from '../../src/scale/hex.ts';
import { createRuntimeMeta } from '../../src/scale/runtime.ts';
import { concatBytes } from '../../worker/bytes/bytes.ts';
import { Writer } from '../../worker/bytes/writer.ts';
import { rootOfExtrinsics } from '../../worker/chain/hashes.ts';
import type { Block } from '../../worker/codec/block.ts';
import { blockHashToBytes } from '../../worker/codec/identity.ts';
import { signTransaction } from '../../worker/dev/transaction.ts';
import type { Node } from '../../worker/node.ts';
import { openAt } from '../consensus/verify-rig.ts';
import { createRandom } from '../rigs/random.ts';
import { sealWith } from '../rigs/reseal.ts';
import { connectRpc } from '../rigs/rpc.ts';

const startMs = Date.UTC(2031, 0, 1);
const names = ['//Alice', '//Bob', '//Charlie', '//Dave', '//Eve', '//Ferdie'];
const transfers = 60;
/** Five for each signature. */
const flips = 300;
/** Behind the compact length, the version, and the address with its kind. */
const signatureAt = 2 + 1 + 33 + 1;

const flipBit = (extrinsic: Uint8Array, bit: number): Uint8Array => {
  const changed = extrinsic.slice();
  const at = signatureAt + (bit >> 3);
  changed[at] = (changed[at] as number) ^ (1 << (bit & 7));
  return changed;
};

describe('a block of many signatures', () => {
  let author: Node;
  let block: Block;
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
      const signed = signTransaction(crypto, meta, bytes, from, { nonce, genesis, version });
      const submitted = await pool.submit(signed, 2);
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

  it('is refused with one bad signature at each place, and the good block is accepted after', async () => {
    const node = await openAt(startMs, 'development', { keys: [] });
    const alone = vi.spyOn(node.parts.crypto, 'sr25519Verify');
    const random = createRandom(20_261_129);
    for (let index = 0; index < flips; index++) {
      const at = inherents() + (index % transfers);
      const bad = withExtrinsic(at, flipBit(block.extrinsics[at] as Uint8Array, Math.floor(random() * 512)));
      expect(await node.parts.chain.import(bad)).toMatchObject({ ok: false, code: 'BadBlock' });
    }
    // Each was found one by one, as without the equation.
    expect(alone.mock.calls.length).toBeGreaterThan(2 * flips);
    expect(await node.parts.chain.import(block)).toMatchObject({ ok: true, number: 1 });
    await node.close();
  }, 60_000);
});
