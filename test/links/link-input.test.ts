import { afterEach, beforeEach, expect, test } from 'vitest';
import { Reader } from '../../worker/bytes/reader.ts';
import { hashHeader } from '../../worker/chain/hashes.ts';
import type { BlockHash } from '../../worker/codec/identity.ts';
import type { SignedBlock } from '../../worker/codec/signed-block.ts';
import { decodeLinkMessage, encodeLinkMessage, type LinkMessage } from '../../worker/link/wire.ts';
import { loadBlocks } from '../consensus/grandpa-rig.ts';
import { type DevNode, startDevNode } from '../rigs/dev-node.ts';

let dev: DevNode;
let port: MessagePort;
let heard: (LinkMessage | string)[];
let wake: () => void;

/** The far end of a link, from which a test can send arbitrary messages. */
const linkUp = async (): Promise<void> => {
  const { port1, port2 } = new MessageChannel();
  heard = [];
  wake = () => undefined;
  port = port2 as unknown as MessagePort;
  (port2 as unknown as { on(event: 'message', run: (data: unknown) => void): void }).on('message', (data) => {
    const message = data instanceof Uint8Array ? decodeLinkMessage(new Reader(data)) : String(data);
    if (message !== null) heard.push(message);
    wake();
  });
  await dev.node.parts.links.open(port1 as unknown as MessagePort);
};

beforeEach(async () => {
  dev = await startDevNode({ changes: { finality: { kind: 'manual' } } });
  await linkUp();
});
afterEach(async () => {
  port.close();
  // Throws if the node reported an error.
  await dev.stop();
});

const send = (message: LinkMessage): void => port.postMessage(encodeLinkMessage(message));
const hears = async (isIt: (message: LinkMessage | string) => boolean): Promise<LinkMessage | string> => {
  for (;;) {
    const found = heard.find(isIt);
    if (found !== undefined) return found;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
};
const genesis = (): BlockHash => dev.node.parts.chain.genesisHash;
const greet = (changes: Partial<Extract<LinkMessage, { type: 'status' }>> = {}): void => {
  const block = { hash: genesis(), number: 0 };
  send({ type: 'status', genesis: genesis(), best: block, finalized: block, ...changes });
};
/** Once the reply arrives, everything sent before it has been handled. */
const ask = async (target = genesis(), known: readonly BlockHash[] = []): Promise<readonly SignedBlock[]> => {
  // Only earlier replies are forgotten: what the node requested meanwhile, it does not request again.
  heard = heard.filter((message) => typeof message !== 'object' || message.type !== 'blocks');
  send({ type: 'request', target, known });
  const reply = await hears((message) => typeof message === 'object' && message.type === 'blocks');
  return typeof reply === 'object' && reply.type === 'blocks' ? reply.blocks : [];
};
const seal = (count: number) => dev.call('dev_newBlock', { count });

/** Blocks of a chain that started at this time are old enough for a node's clock. */
const longAgo = { startMs: Date.UTC(2029, 0, 1) };

/** Blocks of another node with the same chain. */
const foreignBlocks = async (count: number): Promise<SignedBlock[]> => {
  const other = await startDevNode({ changes: { finality: { kind: 'manual' }, clock: longAgo } });
  await other.call('dev_newBlock', { count });
  const blocks = await loadBlocks(other.node, count);
  await other.stop();
  return blocks;
};

test('what does not decode, or comes before the status, changes nothing', async () => {
  for (const junk of [new Uint8Array(), new Uint8Array([9]), new Uint8Array([2, 1, 2, 3]), {}, null, 'hello'])
    port.postMessage(junk);
  const [block] = await foreignBlocks(1);
  send({ type: 'block', block: block as SignedBlock });
  greet();
  expect(await ask()).toEqual([]);
  expect(dev.best().number).toBe(0);
});

test('a node of another chain is refused', async () => {
  greet({ genesis: `0x${'77'.repeat(32)}` as BlockHash });
  expect(await hears((message) => message === 'bye')).toBe('bye');
});

test('a message that is too large costs, and the link ends when it comes again and again', async () => {
  greet();
  for (let sent = 0; sent < 100; sent++) port.postMessage(new Uint8Array(8 * 1024 * 1024 + 1));
  expect(await hears((message) => message === 'bye')).toBe('bye');
});

test('altered blocks are refused, and their sender is left after the third', async () => {
  const [block] = (await foreignBlocks(1)) as [SignedBlock];
  greet();
  const stateRoot = (last: number) => block.header.stateRoot.with(31, last) as Uint8Array<ArrayBuffer>;
  for (const last of [1, 2, 3])
    send({ type: 'block', block: { ...block, header: { ...block.header, stateRoot: stateRoot(last) } } });
  expect(await hears((message) => message === 'bye')).toBe('bye');
  expect(dev.best().number).toBe(0);
});

test('blocks that were not requested are not imported', async () => {
  const blocks = await foreignBlocks(2);
  greet();
  send({ type: 'blocks', target: genesis(), blocks });
  await ask();
  expect(dev.best().number).toBe(0);
});

test('of a flood of announcements only some are kept, and what is missing is asked for', async () => {
  const blocks = await foreignBlocks(120);
  greet();
  for (const block of blocks) send({ type: 'block', block });
  await ask();
  const isRequest = (message: LinkMessage | string) =>
    typeof message === 'object' && message.type === 'request';
  // The last announcement was dropped, or its parent was.
  if (!heard.some(isRequest)) send({ type: 'block', block: blocks.at(-1) as SignedBlock });
  const request = await hears(isRequest);
  if (typeof request === 'object' && request.type === 'request')
    send({ type: 'blocks', target: request.target, blocks });
  await ask();
  expect(dev.best().number).toBe(120);
});

test('a request gets at most 64 blocks, after those that the other side names', async () => {
  await seal(70);
  greet();
  const hash = async (number: number) => (await dev.call('chain_getBlockHash', number)) as BlockHash;
  const numbers = (blocks: readonly SignedBlock[]) => blocks.map(({ header }) => header.number);
  expect(numbers(await ask(await hash(70)))).toEqual(Array.from({ length: 64 }, (_, index) => index + 1));
  const unknown = `0x${'55'.repeat(32)}` as BlockHash;
  expect(numbers(await ask(await hash(70), [unknown, await hash(67), await hash(3)]))).toEqual([68, 69, 70]);
  expect(await ask(unknown)).toEqual([]);
});

test('the blocks of a side branch are found, after the newest one that the other side names', async () => {
  await seal(4);
  const second = (await dev.call('chain_getBlockHash', 2)) as BlockHash;
  const side: BlockHash[] = [];
  for (let parent = second; side.length < 2; parent = side.at(-1) as BlockHash) {
    const made = await dev.call<{ hash: BlockHash }>('engine_createBlock', true, false, parent);
    side.push(made.hash);
  }
  const [first, last] = side as [BlockHash, BlockHash];
  expect(dev.best().hash).not.toBe(last);
  greet();
  expect((await ask(last)).map(({ header }) => header.number)).toEqual([1, 2, 3, 4]);
  expect((await ask(last, [second])).map(({ header }) => header.number)).toEqual([3, 4]);
  expect((await ask(last, [first])).map(({ header }) => header.number)).toEqual([4]);
});

test('blocks that were left when the head was moved are imported again from a peer that has them', async () => {
  port.close();
  await dev.stop();
  dev = await startDevNode({ changes: { finality: { kind: 'manual' }, clock: 'wall' } });
  await linkUp();
  const blocks = await foreignBlocks(5);
  const best = { hash: hashHeader(dev.node.parts.crypto, (blocks[4] as SignedBlock).header), number: 5 };
  for (const left of [0, 2]) {
    heard = [];
    greet({ best });
    await hears((message) => typeof message === 'object' && message.type === 'request');
    send({ type: 'blocks', target: best.hash, blocks: blocks.slice(left) });
    await ask();
    expect(dev.best().hash).toBe(best.hash);
    await dev.call('dev_setHead', 2);
  }
});

test('a peer whose blocks lead nowhere is not asked for ever', async () => {
  const lost = `0x${'66'.repeat(32)}` as BlockHash;
  greet({ best: { hash: lost, number: 9 } });
  await hears((message) => typeof message === 'object' && message.type === 'request');
  heard = [];
  send({ type: 'blocks', target: lost, blocks: [] });
  await ask();
  expect(heard.filter((message) => typeof message === 'object' && message.type === 'request')).toEqual([]);
});

test('a proof that is none leaves the block unfinalized', async () => {
  await seal(2);
  greet();
  send({ type: 'proof', block: dev.best().hash, proof: new Uint8Array(40) });
  send({ type: 'proof', block: `0x${'11'.repeat(32)}` as BlockHash, proof: new Uint8Array() });
  await ask();
  expect(dev.finalized().number).toBe(0);
});

test('a linked node is a peer, until its link ends', async () => {
  const peers = async () => [
    (await dev.call<{ peers: number }>('system_health')).peers,
    await dev.call('system_peers'),
  ];
  expect(await peers(), 'its status has not arrived').toEqual([0, []]);
  greet();
  await ask();
  const info = { peerId: 'link 1', roles: 'FULL', bestHash: genesis(), bestNumber: 0 };
  expect(await peers()).toEqual([1, [info]]);
  const [block] = (await foreignBlocks(1)) as [SignedBlock];
  send({ type: 'block', block });
  await ask();
  expect(await peers()).toEqual([1, [{ ...info, bestHash: dev.best().hash, bestNumber: 1 }]]);
  port.postMessage('bye');
  await expect.poll(peers).toEqual([0, []]);
});
