import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SignedBlockJson } from '../../src/protocol/node.ts';
import { concatBytes } from '../../worker/bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { decodeDigestItem } from '../../worker/codec/digest.ts';
import { encodeHeader } from '../../worker/codec/header.ts';
import { blockHashToBytes } from '../../worker/codec/identity.ts';
import type { SignedBlock } from '../../worker/codec/signed-block.ts';
import type { Node } from '../../worker/node.ts';
import { openAt } from '../consensus/verify-rig.ts';
import { loadDefaultRuntime, loadNextRuntime } from '../rigs/platform.ts';
import { sealOn } from '../rigs/seal-on.ts';
import { type Calls, createCalls, type Limits } from './limit-calls.ts';
import { clock, importNatively, loadChain, type Sealing, startSealing, succeeds } from './native-pair.ts';
import { hasNativeNode, type NativeNode, unpackNativeNode } from './native-rig.ts';

/** sc-basic-authorship, DEFAULT_BLOCK_SIZE_LIMIT. */
const authorBytes = 4 * 1024 * 1024 + 512;
const sizeOf = (digits: string): number => digits.length / 2 - 1;

/** Both nodes seal the same transactions on chains of their own; at the end, each imports the other's chain. */
describe.skipIf(!hasNativeNode)(
  'blocks near their limits, by us and by a native node (shared native-node)',
  () => {
    let native: NativeNode;
    let node: Node;
    let theirs: Sealing;
    let spec: string;
    let calls: Calls;
    let limits: Limits;
    /** Bytes of a block that is opened, as the runtime and the author count them: of the header and an empty body. */
    let openedBytes: number;
    let inherentBytes: number;
    let nonce = 0;

    beforeAll(async () => {
      native = await unpackNativeNode();
      // Without primary claims, whose proofs make some headers longer.
      const epochConfig = { c: [0, 1], allowed_slots: 'PrimaryAndSecondaryPlainSlots' };
      const patch = JSON.stringify({ babe: { epochConfig } });
      const wasm = await loadDefaultRuntime();
      node = await openAt(Date.now(), { wasm, preset: 'development', patch }, { clock });
      spec = await native.writeSpec(node);
      // The pool forgets what is in blocks a moment later.
      theirs = await startSealing(native, spec, '--pool-kbytes', '200000');
      calls = await createCalls(node);
      limits = calls.limits();
      await sealOn(node);
      await theirs.seal();
      const [first] = (await loadChain(node)) as [SignedBlock];
      inherentBytes = first.extrinsics.reduce((sum, { length }) => sum + length, 0);
      const digest = first.header.digest.filter((item) => decodeDigestItem(item).kind === 'preRuntime');
      openedBytes = encodeHeader({ ...first.header, digest }).length + 1;
    }, 240_000);
    afterAll(async () => {
      await calls.close();
      await node.close();
      native.close();
    });

    type Call = ReturnType<Calls['remark']>;
    const signAll = (...list: readonly Call[]): string[] => list.map((call) => calls.sign(call, nonce++));
    /** How much longer an extrinsic is than what it carries, if that is long. */
    const overhead = (call: (length: number) => Call): number =>
      sizeOf(calls.sign(call(100_000), 0)) - 100_000;

    /** Seals until all are in blocks. Returns how many each block has, leaving out blocks without any. */
    const sealHere = async (texts: readonly string[]): Promise<number[]> => {
      for (const text of texts)
        expect(await node.parts.pool.submit(hexToBytes(text), 1)).toMatchObject({ ok: true });
      const counts: number[] = [];
      for (let left = texts.length; left > 0; left -= counts.at(-1) as number) {
        const block = (await node.parts.chain.loadBlock(await sealOn(node))) as SignedBlock;
        counts.push(block.extrinsics.length - 1);
        if (counts.at(-1) === 0) throw new Error(`${left} extrinsics are never included`);
      }
      return counts;
    };
    const sealThere = async (texts: readonly string[]): Promise<number[]> => {
      for (const text of texts) await theirs.call('author_submitExtrinsic', text);
      const counts: number[] = [];
      for (let left = texts.length, tries = 0; left > 0 && tries < 20; tries++) {
        const { block } = await theirs.call<SignedBlockJson>('chain_getBlock', await theirs.seal());
        const count = block.extrinsics.length - 1;
        if (count > 0) counts.push(count);
        left -= count;
      }
      return counts;
    };
    const expectBlocks = async (texts: readonly string[], counts: readonly number[]): Promise<void> => {
      expect(await sealThere(texts)).toEqual(counts);
      expect(await sealHere(texts)).toEqual(counts);
    };

    /** Whether the runtime finds it valid, here and there. */
    const validate = async (text: string) => {
      const { chain } = node.parts;
      const method = 'TaggedTransactionQueue_validate_transaction';
      const input = (hash: Uint8Array) => concatBytes(Uint8Array.of(2), hexToBytes(text), hash);
      const { hash } = chain.best();
      const here = await chain.callAt(hash, method, input(blockHashToBytes(hash)));
      const best = await theirs.call<string>('chain_getBlockHash');
      const there = await theirs.call<string>('state_call', method, bytesToHex(input(hexToBytes(best))));
      return { here: here.ok && here.output[0] === 0, there: there.startsWith('0x00') };
    };
    /** The largest number which passes. */
    const findMost = async (low: number, high: number, passes: (value: number) => Promise<boolean>) => {
      let [fits, exceeds] = [low, high];
      while (exceeds - fits > 1) {
        const middle = Math.floor((fits + exceeds) / 2);
        if (await passes(middle)) fits = middle;
        else exceeds = middle;
      }
      return fits;
    };
    const isValidHere = async (text: string): Promise<boolean> => (await validate(text)).here;
    const bothValid = { here: true, there: true };
    const bothInvalid = { here: false, there: false };

    it('length: normal transactions that leave no byte, one byte, and lack one', async () => {
      const first = 1_000_000;
      const rest = limits.normalBytes - openedBytes - inherentBytes - first - 2 * overhead(calls.remark);
      for (const [length, counts] of [
        [rest, [2]],
        [rest - 1, [2]],
        [rest + 1, [1, 1]],
      ] as const)
        await expectBlocks(signAll(calls.remark(first), calls.remark(length)), counts);
    }, 240_000);

    it('length: one extrinsic as long as its class allows, and one byte longer', async () => {
      // It is judged with a header without a digest.
      const most = limits.normalBytes - 99 - overhead(calls.remark);
      expect(await validate(calls.sign(calls.remark(most), nonce))).toEqual(bothValid);
      expect(await validate(calls.sign(calls.remark(most + 1), nonce))).toEqual(bothInvalid);
    }, 240_000);

    it('length: an operational transaction beyond the limit of the others, up to that of the author', async () => {
      const normal = limits.normalBytes - openedBytes - inherentBytes - overhead(calls.remark);
      const rest = authorBytes - limits.normalBytes - overhead(calls.store);
      // When it seals on demand, the native author counts the storage proof as well.
      await expectBlocks(signAll(calls.remark(normal), calls.store(rest - 100_000)), [2]);
      await expectBlocks(signAll(calls.remark(normal), calls.store(rest + 1)), [1, 1]);
      const exact = signAll(calls.remark(normal), calls.store(rest));
      expect(await sealHere(exact)).toEqual([2]);
      expect(await sealThere(exact)).toEqual([1, 1]);
      await expectBlocks(signAll(calls.store(3_500_000)), [1]);
    }, 240_000);

    it('weight: normal transactions that leave no picosecond, and lack one; operational ones after them', async () => {
      const time = (value: bigint | number) => calls.taking(BigInt(value));
      const most = await findMost(1, Number(limits.extrinsicTime) + 1, (value) =>
        isValidHere(calls.sign(time(value), nonce)),
      );
      expect(await validate(calls.sign(time(most), nonce))).toEqual(bothValid);
      expect(await validate(calls.sign(time(most + 1), nonce))).toEqual(bothInvalid);
      await expectBlocks(signAll(time(most)), [1]);
      const weight = (await calls.api.query['system']?.['blockWeight']?.()) as never as {
        normal: { refTime: { toBigInt(): bigint } };
      };
      const extension = limits.extrinsicTime - BigInt(most);
      const rest = limits.normalTime - weight.normal.refTime.toBigInt() - limits.baseTime - extension;
      await expectBlocks(signAll(time(most), time(rest)), [2]);
      await expectBlocks(signAll(time(most), time(rest + 1n)), [1, 1]);
      await expectBlocks(signAll(time(most), time(rest), calls.store(10_000)), [3]);
    }, 240_000);

    it('weight: batches of transfers for more than one block', async () => {
      const transfer = calls.pick('balances', 'transferKeepAlive', new Uint8Array(32).fill(9), 10n ** 12n);
      const batch = calls.pick('utility', 'batchAll', Array(1200).fill(transfer));
      const batches = signAll(...Array(8).fill(batch));
      const counts = await sealThere(batches);
      expect(counts.length).toBeGreaterThan(1);
      expect(await sealHere(batches)).toEqual(counts);
    }, 240_000);

    it('a pool that holds far more than fits, of many accounts and sizes', async () => {
      const lengths = [900_000, 10, 1_700_000, 300_000, 1_100_000, 5_000, 800_000];
      const mixed = ['//Bob', '//Charlie', '//Dave', '//Eve'].flatMap((suri) =>
        lengths.map((length, at) => calls.sign(calls.remark(length), at, suri)),
      );
      // Which of them come first is each author's own choice.
      const inAll = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);
      expect([inAll(await sealThere(mixed)), inAll(await sealHere(mixed))]).toEqual([
        mixed.length,
        mixed.length,
      ]);
    }, 240_000);

    it('depth: a batch inside itself, as deep as it can be decoded, and one level more', async () => {
      const sign = (depth: number) => calls.sign(calls.wrap(calls.nested(depth)), nonce);
      const most = await findMost(1, 400, (depth) => isValidHere(sign(depth)));
      expect(await validate(sign(most))).toEqual(bothValid);
      expect(await validate(sign(most + 1))).toEqual(bothInvalid);
      await expectBlocks(signAll(calls.wrap(calls.nested(most))), [1]);
    }, 240_000);

    it('depth: a call that is decoded without a limit, until it overflows the stack of the runtime', async () => {
      const { chain } = node.parts;
      const method = 'TransactionPaymentCallApi_query_call_info';
      const input = (depth: number): Uint8Array => {
        const call = calls.nested(depth);
        return concatBytes(call, new Uint8Array(Uint32Array.of(call.length).buffer));
      };
      const here = async (depth: number) => (await chain.callAt(chain.best().hash, method, input(depth))).ok;
      const there = (depth: number) => succeeds(theirs.call('state_call', method, bytesToHex(input(depth))));
      const most = await findMost(1, 4000, here);
      expect(most).toBeGreaterThan(1000);
      expect([await there(most), await there(most + 1)]).toEqual([true, false]);
    }, 240_000);

    it('code: a block that upgrades the runtime, and blocks after it', async () => {
      const code = bytesToHex(await loadNextRuntime());
      const upgrade = calls.sudo(calls.pick('system', 'setCodeWithoutChecks', code));
      await expectBlocks(signAll(upgrade), [1]);
      for (let more = 0; more < 2; more++) {
        await sealOn(node);
        await theirs.seal();
      }
      const { specVersion } = await theirs.call<{ specVersion: number }>('state_getRuntimeVersion');
      const { chain } = node.parts;
      expect((await chain.runtimeAt(chain.best().hash)).version.specVersion).toBe(specVersion);
    }, 240_000);

    it('each imports the chain of the other to the same hash', async () => {
      const best = node.parts.chain.best();
      expect(await importNatively(native, node, spec, 'ours')).toEqual({
        number: best.number,
        hash: best.hash,
      });
      const other = await openAt(Date.now(), { specJson: readFileSync(spec, 'utf8') }, { keys: [] });
      const last = await theirs.call<string>('chain_getBlockHash');
      const height = Number((await theirs.call<{ number: string }>('chain_getHeader', last)).number);
      expect(height).toBeGreaterThan(15);
      for (let number = 1; number <= height; number++) {
        const hash = await theirs.call<string>('chain_getBlockHash', number);
        const block = await theirs.call<SignedBlockJson>('chain_getBlock', hash);
        expect((await other.importBlock(block)).hash).toBe(hash);
      }
      expect(other.parts.chain.best().hash).toBe(last);
      await other.close();
      await theirs.stop();
    }, 240_000);
  },
);
