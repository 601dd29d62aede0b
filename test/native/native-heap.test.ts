import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SignedBlockJson } from '../../src/protocol/node.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import { type Crypto, loadCrypto } from '../../worker/crypto/crypto.ts';
import type { Node } from '../../worker/node.ts';
import { importFile, openAt } from '../consensus/verify-rig.ts';
import { buildFillRuntime, fillKeys } from '../rigs/fill-runtime.ts';
import { sealOn } from '../rigs/seal-on.ts';
import { signSettings, specWith, submit, u32Bytes, u32Hex } from './heap-rig.ts';
import { heapVectors, offchainHeap } from './heap-vectors.ts';
import { createCalls } from './limit-calls.ts';
import { clock, importNatively, loadChain, startSealing, succeeds } from './native-pair.ts';
import { hasNativeNode, type NativeNode, unpackNativeNode } from './native-rig.ts';

/** Which of these extrinsics could be put into a block each, one after the other. */
const sealEach = async (texts: readonly string[], seal: (text: string) => Promise<unknown>) => {
  const sealed: boolean[] = [];
  for (const text of texts) sealed.push(await succeeds(seal(text)));
  return sealed;
};
const sealHere = (node: Node) => async (text: string) => {
  await submit(node, text);
  await sealOn(node);
};
describe.skipIf(!hasNativeNode)(
  'the memory of a call, compared with a native node (shared native-node)',
  () => {
    let native: NativeNode;
    let crypto: Crypto;
    let specJson: string;
    let runtime: Awaited<ReturnType<typeof buildFillRuntime>>;
    beforeAll(async () => {
      native = await unpackNativeNode();
      crypto = await loadCrypto();
      runtime = await buildFillRuntime(crypto);
      const node = await openAt(Date.now(), 'development', { keys: [] });
      specJson = readFileSync(await native.writeSpec(node), 'utf8');
      await node.close();
    }, 240_000);
    afterAll(() => native.close());

    /** How many blocks of this chain are imported, here and there. */
    const importBoth = async (node: Node, chain: { specJson: string }, spec: string, name: string) => {
      const other = await openAt(Date.now(), chain, { keys: [] });
      let here = 0;
      for (const block of await loadChain(node)) if ((await importFile(other, block)).ok) here++;
      await other.close();
      return { here, there: (await importNatively(native, node, spec, name)).number };
    };

    it.each(heapVectors)(
      ':heappages $name',
      async (vector) => {
        const { min } = runtime;
        const chain = { specJson: specWith(specJson, runtime.code, vector) };
        const spec = native.write('heap.json', chain.specJson);
        const node = await openAt(Date.now(), chain, { clock });
        const theirs = await startSealing(native, spec);
        for (const [pages, fits] of [
          [min + offchainHeap, true],
          [min + offchainHeap + 1, false],
        ] as const) {
          expect(await succeeds(theirs.call('state_call', 'dbg_fill', u32Hex(pages)))).toBe(fits);
          const { ok } = await node.parts.chain.callAt(
            node.parts.chain.best().hash,
            'dbg_fill',
            u32Bytes(pages),
          );
          expect(ok).toBe(fits);
        }
        const key = fillKeys.BlockBuilder_finalize_block;
        const most = min + (vector.author ?? 0);
        const fills = await signSettings(node, [
          [key, most],
          [key, most + 1],
        ]);
        const fitting = [vector.author !== null, false];
        expect(await sealEach(fills, theirs.include)).toEqual(fitting);
        expect(await sealEach(fills, sealHere(node))).toEqual(fitting);
        await theirs.stop();
        await node.close();
      },
      240_000,
    );

    const different = heapVectors.filter(
      (vector, at) =>
        vector.author !== null && heapVectors.findIndex((other) => other.import === vector.import) === at,
    );
    it.each(different)(
      'an import with :heappages $name',
      async (vector) => {
        const chain = { specJson: specWith(specJson, runtime.code, vector) };
        const spec = native.write('heap.json', chain.specJson);
        const node = await openAt(Date.now(), chain, { clock });
        const key = fillKeys.Core_execute_block;
        const most = runtime.min + (vector.import ?? 0);
        const fills = await signSettings(node, [
          [key, most],
          [key, most + 1],
        ]);
        expect(await sealEach(fills, sealHere(node))).toEqual([true, true]);
        const imported = vector.import === null ? 0 : 1;
        const both = await importBoth(node, chain, spec, `import${vector.value}`);
        expect(both).toEqual({ here: imported, there: imported });
        await node.close();
      },
      240_000,
    );

    it.each([
      ['check_inherents of an import', fillKeys.BlockBuilder_check_inherents],
      ['validation of a transaction', fillKeys.TaggedTransactionQueue_validate_transaction],
    ])(
      '%s has the memory of an offchain call',
      async (name, key) => {
        const small = heapVectors.find(({ author }) => author === 64) as (typeof heapVectors)[number];
        const chain = { specJson: specWith(specJson, runtime.code, small) };
        const spec = native.write('heap.json', chain.specJson);
        const node = await openAt(Date.now(), chain, { clock });
        const theirs = await startSealing(native, spec);
        const most = runtime.min + offchainHeap;
        const [fits, exceeds, after] = (await signSettings(node, [
          [key, most],
          [key, most + 1],
          ['unused', 0],
        ])) as [string, string, string];
        if (key === fillKeys.BlockBuilder_check_inherents) {
          expect(await sealEach([fits, exceeds, after], sealHere(node))).toEqual([true, true, true]);
          const both = await importBoth(node, chain, spec, name);
          // The second block sets what the check of the third one reads.
          expect(both).toEqual({ here: 2, there: 2 });
        } else {
          expect(await sealEach([fits, exceeds, after], theirs.include)).toEqual([true, true, false]);
          expect(await sealEach([fits, exceeds, after], sealHere(node))).toEqual([true, true, false]);
        }
        await theirs.stop();
        await node.close();
      },
      240_000,
    );

    it('a transaction that just fits into the memory of the author, and one page less', async () => {
      const spec = native.write('heap.json', specJson);
      const node = await openAt(Date.now(), { specJson }, { clock });
      const theirs = await startSealing(native, spec);
      const calls = await createCalls(node);
      const setPages = (pages: number) => calls.sudo(calls.pick('system', 'setHeapPages', pages));
      let nonce = 0;
      const tryHere = async (pages: number): Promise<boolean> => {
        await submit(node, calls.sign(setPages(pages), nonce++));
        await sealOn(node);
        await submit(node, calls.sign(calls.remark(2_500_000), nonce));
        const block = await node.parts.chain.loadBlock(await sealOn(node));
        const isIncluded = block?.extrinsics.length === 2;
        if (isIncluded) nonce++;
        return isIncluded;
      };
      let [exceeds, fits] = [64, 1024];
      while (fits - exceeds > 1) {
        const middle = Math.floor((fits + exceeds) / 2);
        if (await tryHere(middle)) fits = middle;
        else exceeds = middle;
      }
      await theirs.include(calls.sign(setPages(fits), 0));
      await theirs.include(calls.sign(calls.remark(2_500_000), 1));
      await theirs.include(calls.sign(setPages(exceeds), 2));
      expect(await succeeds(theirs.include(calls.sign(calls.remark(2_500_000), 3)))).toBe(false);
      const other = await openAt(Date.now(), { specJson }, { keys: [] });
      for (let number = 1; number <= 4; number++) {
        const hash = await theirs.call<string>('chain_getBlockHash', number);
        const block = await theirs.call<SignedBlockJson>('chain_getBlock', hash);
        expect((await other.importBlock(block)).hash).toBe(hash);
      }
      await other.close();
      const { number, hash } = node.parts.chain.best();
      expect(await importNatively(native, node, spec, 'remarks')).toEqual({ number, hash });
      await calls.close();
      await theirs.stop();
      await node.close();
    }, 240_000);

    it('its size, and memory that nobody allocated, are as in a native node', async () => {
      const { code, min } = await buildFillRuntime(crypto, { usesMemorySize: true });
      const chain = { specJson: specWith(specJson, code, { value: null }) };
      const node = await openAt(Date.now(), chain, { clock });
      const theirs = await startSealing(native, native.write('heap.json', chain.specJson));
      const end = (min + offchainHeap) * 65_536;
      for (const [method, argument] of [
        ['dbg_size', 0],
        ['dbg_grow', 0],
        ['dbg_grow', 1],
        ['dbg_peek', end - 1],
        ['dbg_peek', end],
        ['dbg_peek', min * 65_536],
        ['dbg_fill', min + offchainHeap],
        ['dbg_fill', min + offchainHeap + 1],
      ] as const) {
        const here = await node.parts.chain.callAt(node.parts.chain.best().hash, method, u32Bytes(argument));
        const there = await theirs.call<string>('state_call', method, u32Hex(argument)).catch(() => null);
        expect([method, argument, here.ok ? bytesToHex(here.output) : null]).toEqual([
          method,
          argument,
          there,
        ]);
      }
      await theirs.stop();
      await node.close();
    }, 240_000);
  },
);
