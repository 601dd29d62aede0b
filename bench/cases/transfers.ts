import { hexToBytes } from '../../worker/bytes/hex.ts';
import type { Block } from '../../worker/codec/block.ts';
import { decodeHeader, encodeHeader } from '../../worker/codec/header.ts';
import { createMemoryDatabase } from '../../worker/db/memory.ts';
import type { Node } from '../../worker/node.ts';
import type { Bench, Line } from '../figure.ts';
import { medians, type Spent, timed } from '../measure.ts';
import { openClient, openNode, sealAll } from '../nodes.ts';
import { signTransfers } from '../signer.ts';

const blockSize = 200;
const warmBlocks = 5;
const importBlocks = 30;
const measured = 2000;
const warm = (warmBlocks + importBlocks) * blockSize;

const submitAll = async (node: Node, extrinsics: readonly Uint8Array[]): Promise<void> => {
  for (const extrinsic of extrinsics) {
    const result = await node.parts.pool.submit(extrinsic, 2);
    if (!result.ok) throw new Error(`submit: ${JSON.stringify(result)}`);
  }
};

export const loadBlocks = async (node: Node): Promise<Block[]> => {
  const blocks: Block[] = [];
  for (let number = 1; number <= node.parts.chain.best().number; number++) {
    const hash = await node.parts.chain.loadHashAt(number);
    const block = hash === null ? null : await node.parts.chain.loadBlock(hash);
    if (block === null) throw new Error(`no block ${number}`);
    // Copies, so that nothing the first node caches by identity helps the second.
    blocks.push({
      header: decodeHeader(encodeHeader(block.header)),
      extrinsics: block.extrinsics.map((one) => one.slice()),
    });
  }
  return blocks;
};

/** A second node imports the same blocks and verifies every signature itself. */
const measureImport = async (blocks: readonly Block[]): Promise<Line> => {
  const node = await openNode('development', { config: { keys: [] } });
  const spent: Spent[] = [];
  let full = 0;
  for (const block of blocks) {
    const one = await timed(() => node.parts.chain.import(block, { origin: 'file' }));
    if (!one.value.ok) throw new Error(`${one.value.code}: ${one.value.message}`);
    if (block.extrinsics.length >= blockSize && full++ >= warmBlocks) spent.push(one);
  }
  await node.close();
  const { ms, cpuMs } = medians(spent);
  return {
    name: 'import of a 200-transfer block, per transfer',
    value: ms / blockSize,
    cpu: cpuMs / blockSize,
    unit: 'ms',
    budget: 0.4,
    note: `median of ${spent.length} blocks on a second node, all checks`,
  };
};

const perTransfer = (name: string, spent: Spent, budget: number | null, note: string): Line => ({
  name,
  value: spent.ms / measured,
  cpu: spent.cpuMs / measured,
  unit: 'ms',
  budget,
  note,
});

export const transfers: Bench = {
  name: 'transfers',
  about: 'signed transfers submitted, included, and imported by a second node',
  run: async () => {
    const node = await openNode();
    const signed = await signTransfers(node, warm + 2 * measured);
    const bytes = signed.map(hexToBytes);
    for (let at = 0; at < warm; at += blockSize) {
      await submitAll(node, bytes.slice(at, at + blockSize));
      await sealAll(node);
    }
    const blocks = await loadBlocks(node);
    const validate = await timed(() => submitAll(node, bytes.slice(warm, warm + measured)));
    const apply = await timed(() => sealAll(node));
    const client = openClient(node);
    const texts = signed.slice(warm + measured);
    const whole = await timed(async () => {
      for (const text of texts) await client.request('author_submitExtrinsic', [text]);
      return sealAll(node);
    });
    client.close();
    const sealed = whole.value.blocks.length;
    await node.close();
    return [
      perTransfer(
        'signed transfer: submit + include',
        whole,
        0.8,
        `${measured} by author_submitExtrinsic, ${sealed} block(s); stretch 0.5`,
      ),
      perTransfer('  of it: validate and pool', validate, null, 'pool.submit, no RPC text'),
      perTransfer('  of it: build, apply, commit', apply, null, `${apply.value.blocks.length} block(s)`),
      await measureImport(blocks),
    ];
  },
};

export const stored: Bench = {
  name: 'stored',
  about: 'bytes stored per empty block and per transfer',
  run: async () => {
    const inner = createMemoryDatabase();
    let bytes = 0;
    const node = await openNode('development', {
      db: {
        ...inner,
        write: (batch) => {
          for (const [store, key, value] of batch.puts)
            if (store !== 'meta' && store !== 'nodes') bytes += key.length + value.length;
          return inner.write(batch);
        },
      },
    });
    const signed = (await signTransfers(node, blockSize)).map(hexToBytes);
    const count = async (work: () => Promise<unknown>): Promise<number> => {
      bytes = 0;
      await work();
      return bytes;
    };
    const empties = 10;
    const seal = (): Promise<unknown> => node.parts.author.seal({ createEmpty: true, finalize: false });
    await seal();
    const empty =
      (await count(async () => {
        for (let i = 0; i < empties; i++) await seal();
      })) / empties;
    await submitAll(node, signed);
    let blocks = 0;
    const full = await count(async () => {
      while (node.parts.pool.readyCount() > 0) {
        await seal();
        blocks++;
      }
    });
    await node.close();
    const note = 'headers, bodies, numbers and journal records as written';
    return [
      { name: 'stored per empty block', value: empty, unit: 'B', budget: null, note },
      {
        name: 'stored per transfer',
        value: (full - blocks * empty) / blockSize,
        unit: 'B',
        budget: null,
        note: `in a block of ${blockSize}`,
      },
    ];
  },
};
