import { countedOrigin } from '../../test/fork/counted-origin.ts';
import { createSigner } from '../../test/fork/signer.ts';
import { createTestPlatform, testConfig } from '../../test/rigs/platform.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { createNode, type Node } from '../../worker/node.ts';
import type { Line } from '../figure.ts';
import { median, timed } from '../measure.ts';
import { openNode, seal } from '../nodes.ts';

/** Of empty blocks and of transfers, in turn on the fork and on the local chain. */
const rounds = 10;
const emptyBlocks = 100;
const transfersEach = 20;
const warmUp = 20;

type Counted = ReturnType<typeof countedOrigin>;

/** A fork of a chain of this process at its best block. */
export const openFork = ({ origin }: Counted, keys = ['//Alice']): Promise<Node> =>
  createNode(
    { ...createTestPlatform(), openOrigin: () => origin },
    testConfig({ fork: { endpoints: ['ws://live'], block: 'best' } }, { keys }),
  );

const times = async (count: number, work: (index: number) => Promise<unknown>): Promise<number[]> => {
  const spent: number[] = [];
  for (let index = 0; index < count; index++) spent.push((await timed(() => work(index))).ms);
  return spent;
};

/** Submits a signed transfer, and builds the block that includes it. */
export const includeTransfer = async (node: Node, extrinsic: string): Promise<void> => {
  const submitted = await node.parts.pool.submit(hexToBytes(extrinsic), 1);
  if (!submitted.ok) throw new Error(`submit: ${JSON.stringify(submitted)}`);
  if ((await seal(node)).included !== 1) throw new Error('the transfer is not included');
};

export const signTransfer = async (
  sign: ReturnType<typeof createSigner>,
  node: Node,
  recipients: readonly Uint8Array[],
): Promise<string[]> =>
  sign(
    node,
    node.parts.chain.best().hash,
    recipients.map((id) => [
      '//Alice',
      ['Balances', 'transfer_allow_death', { dest: { Id: bytesToHex(id) }, value: '1000000000000' }],
    ]),
  );

const transferTimes = async (node: Node, sign: ReturnType<typeof createSigner>): Promise<number[]> => {
  const bob = node.parts.crypto.suriToPair('//Bob', 'sr25519').publicKey;
  const signed = await signTransfer(
    sign,
    node,
    Array.from({ length: transfersEach }, () => bob),
  );
  return times(signed.length, (index) => includeTransfer(node, signed[index] as string));
};

/** A fork whose live chain is in this process, beside a chain of its own: the same blocks, block by block. */
export const measureBlocks = async (): Promise<Line[]> => {
  const live = await openNode();
  await seal(live);
  const [fork, local] = [await openFork(countedOrigin(live)), await openNode()];
  const [sign, signLocal] = [createSigner(), createSigner()];
  for (const node of [fork, local]) await times(warmUp, () => seal(node));
  const ratios = { empty: [] as number[], all: [] as number[], transfer: [] as number[] };
  let totals = { fork: 0, local: 0 };
  const transfers: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const own = await times(emptyBlocks, () => seal(local));
    const forked = await times(emptyBlocks, () => seal(fork));
    ratios.empty.push(median(forked) / median(own));
    const sum = (all: readonly number[]): number => all.reduce((total, ms) => total + ms, 0);
    totals = { fork: totals.fork + sum(forked), local: totals.local + sum(own) };
    const ownTransfers = await transferTimes(local, signLocal);
    const forkTransfers = await transferTimes(fork, sign);
    // The first one reads its accounts.
    ratios.transfer.push(median(forkTransfers) / median(ownTransfers));
    transfers.push(median(forkTransfers));
  }
  for (const node of [fork, local, live]) await node.close();
  const figure = (name: string, value: number, budget: number, note: string): Line => ({
    name: `fork: ${name}, to that of a local chain`,
    value,
    unit: '×',
    budget,
    note,
  });
  const each = `median of ${rounds}`;
  return [
    figure('empty block', median(ratios.empty), 1.3, `${each}, each of ${emptyBlocks} blocks`),
    figure(
      `${rounds * emptyBlocks} empty blocks`,
      totals.fork / totals.local,
      4,
      `${totals.fork.toFixed(0)} ms, reading ahead included`,
    ),
    figure(
      'submitted and built transfer',
      median(ratios.transfer),
      1.3,
      `${each}, each of ${transfersEach}; ${median(transfers).toFixed(2)} ms`,
    ),
  ];
};
