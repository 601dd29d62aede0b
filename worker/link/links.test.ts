import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadBlocks } from '../../test/consensus/grandpa-rig.ts';
import { type DevNode, startDevNode } from '../../test/rigs/dev-node.ts';
import { Reader } from '../bytes/reader.ts';
import type { Chain } from '../chain/chain.ts';
import type { BlockHash } from '../codec/identity.ts';
import { createLinks } from './lazy-links.ts';
import { type OpenLinks, startLinks } from './links.ts';
import { bannedBelow, type Listeners, maxEarly, maxEarlyBytes, maxUnderWayBytes, replyMs } from './peers.ts';
import { decodeLinkMessage, encodeLinkMessage, type LinkMessage } from './wire.ts';

type Timer = { readonly ms: number; readonly run: () => void };

let dev: DevNode;
let links: OpenLinks;
let nowMs: number;
let timers: Set<Timer>;
let listeners: Listeners;
let loadHeader: Chain['loadHeader'];

beforeEach(async () => {
  dev = await startDevNode({ changes: { finality: { kind: 'manual' } } });
  nowMs = 0;
  timers = new Set();
  listeners = { message: new Set(), peer: new Set(), leave: new Set(), early: [] };
  const schedule = (ms: number, run: () => void) => {
    const timer = { ms, run };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  const { chain } = dev.node.parts;
  loadHeader = chain.loadHeader;
  const slow = { ...chain, loadHeader: (hash: BlockHash) => loadHeader(hash) };
  links = startLinks(
    { ...dev.node.parts, chain: slow, now: () => nowMs, schedule, isSyncing: () => false },
    listeners,
  );
});
afterEach(async () => {
  await links.close();
  expect(timers.size).toBe(0);
  await dev.stop();
});

const fire = (): void => {
  for (const timer of [...timers]) {
    timers.delete(timer);
    timer.run();
  }
};

/** The far end of a link. It acknowledges nothing by itself. */
const openEnd = (open: (port: MessagePort) => unknown = links.open) => {
  const { port1, port2 } = new MessageChannel();
  const port = port2 as unknown as MessagePort & {
    on(event: 'message' | 'close', run: (data: unknown) => void): void;
  };
  const received: LinkMessage[] = [];
  let bytes = 0;
  let wake = (): void => undefined;
  port.on('message', (data) => {
    if (!(data instanceof Uint8Array)) return;
    bytes += data.length;
    const message = decodeLinkMessage(new Reader(data));
    if (message !== null) received.push(message);
    wake();
  });
  const closed = new Promise<void>((resolve) => port.on('close', () => resolve()));
  const id = open(port1 as unknown as MessagePort) as number;
  const send = (message: LinkMessage): void => port.postMessage(encodeLinkMessage(message));
  /** Removes and returns the first message of this type. */
  const next = async <T extends LinkMessage['type']>(type: T): Promise<Extract<LinkMessage, { type: T }>> => {
    for (;;) {
      const at = received.findIndex((message) => message.type === type);
      if (at >= 0) return received.splice(at, 1)[0] as Extract<LinkMessage, { type: T }>;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const greet = (best = { hash: genesis(), number: 0 }): void =>
    send({ type: 'status', genesis: genesis(), best, finalized: { hash: genesis(), number: 0 } });
  /** Once the reply arrives, everything sent before it has been handled. */
  const settle = async (): Promise<void> => {
    send({ type: 'request', target: genesis(), known: [] });
    await next('blocks');
  };
  return { id, port, received, closed, send, next, greet, settle, bytes: () => bytes };
};

const genesis = (): BlockHash => dev.node.parts.chain.genesisHash;
const lost = { hash: `0x${'66'.repeat(32)}` as BlockHash, number: 9 };
const other = { hash: `0x${'55'.repeat(32)}` as BlockHash, number: 9 };

test('a block sealed between the first status and the peer’s is not missed: a second status names it', async () => {
  const end = openEnd();
  expect((await end.next('status')).best.number).toBe(0);
  await dev.call('dev_newBlock', { count: 1 });
  end.greet();
  expect((await end.next('status')).best).toMatchObject({ hash: dev.best().hash, number: 1 });
});

test('a request without a reply is sent to another peer that has the block, and others follow', async () => {
  const [mute, helpful] = [openEnd(), openEnd()];
  mute.greet(lost);
  expect((await mute.next('request')).target).toBe(lost.hash);
  mute.greet(other);
  await mute.settle();
  helpful.greet(other);
  expect((await helpful.next('request')).target).toBe(other.hash);
  helpful.send({ type: 'blocks', target: other.hash, blocks: [] });
  await helpful.settle();
  expect([...timers].map(({ ms }) => ms)).toEqual([replyMs]);
  fire();
  // The block announced last is the one still wanted.
  expect((await helpful.next('request')).target).toBe(other.hash);
  helpful.send({ type: 'blocks', target: other.hash, blocks: [] });
  await helpful.settle();
  // The silent peer is asked again when it announces something.
  mute.greet(lost);
  expect((await mute.next('request')).target).toBe(lost.hash);
});

test('the voter hears of a peer that comes, and of one that leaves by itself or by being cut', async () => {
  const received: string[] = [];
  listeners.peer.add((peer) => received.push(`${peer} came`));
  listeners.leave.add((peer) => received.push(`${peer} left`));
  const [cut, ending] = [openEnd(), openEnd()];
  for (const end of [cut, ending]) {
    end.greet();
    await end.settle();
  }
  links.cut(cut.id);
  links.cut(cut.id);
  ending.port.postMessage('bye');
  await Promise.all([cut.closed, ending.closed]);
  expect(received).toEqual(['link 1 came', 'link 2 came', 'link 1 left', 'link 2 left']);
});

test('a request that waits at a peer whose link ends is sent to another peer', async () => {
  const [leaving, staying] = [openEnd(), openEnd()];
  leaving.greet(lost);
  await leaving.next('request');
  staying.greet(lost);
  await staying.next('request');
  staying.send({ type: 'blocks', target: lost.hash, blocks: [] });
  await staying.settle();
  links.cut(leaving.id);
  expect((await staying.next('request')).target).toBe(lost.hash);
});

test('a peer that reads nothing gets a bounded number of bytes, and where we are when it reads again', async () => {
  const end = openEnd();
  end.greet();
  await end.settle();
  const greeted: string[] = [];
  listeners.peer.add((peer) => greeted.push(peer));
  const vote = new Uint8Array(maxUnderWayBytes / 16);
  for (let sent = 0; sent < 40; sent++) links.send('link 1', vote);
  const last = { hash: genesis(), number: 0 };
  end.received.length = 0;
  end.send({ type: 'taken', bytes: 1 });
  end.send({ type: 'taken', bytes: maxUnderWayBytes });
  // Everything posted before it has been read.
  expect((await end.next('status')).best).toMatchObject(last);
  expect(end.bytes()).toBeLessThanOrEqual(maxUnderWayBytes + 1024);
  expect(greeted).toHaveLength(1);
  links.send('link 1', Uint8Array.of(7));
  expect((await end.next('grandpa')).bytes).toBeDefined();
});

test('what was handled is acknowledged', async () => {
  const end = openEnd();
  end.greet();
  const bytes = new Uint8Array(100_000);
  end.send({ type: 'grandpa', bytes });
  expect((await end.next('taken')).bytes).toBeGreaterThan(100_000);
});

test('of messages that wait for a slow one, only a bounded number of bytes is kept', async () => {
  const end = openEnd();
  end.greet();
  await end.settle();
  const gate = Promise.withResolvers<null>();
  loadHeader = () => gate.promise;
  end.send({ type: 'request', target: lost.hash, known: [] });
  const proof = new Uint8Array(maxUnderWayBytes / 3);
  for (let sent = 0; sent < 3; sent++) end.send({ type: 'proof', block: lost.hash, proof });
  const { bytes } = await end.next('taken');
  expect(bytes).toBeGreaterThan(proof.length);
  expect(bytes).toBeLessThan(2 * proof.length);
  gate.resolve(null);
  await end.next('blocks');
});

test('what a peer has earned fades with time', async () => {
  const end = openEnd();
  end.greet();
  await end.settle();
  links.rate('link 1', bannedBelow + 1);
  nowMs += 600_000;
  // A twentieth of it is left.
  links.rate('link 1', Math.trunc(bannedBelow * 0.9));
  await end.settle();
  links.rate('link 1', Math.trunc(bannedBelow * 0.2));
  await end.closed;
});

test('a node with blocks to fetch gets them in spite of a peer that never replies', async () => {
  const source = await startDevNode({
    changes: { finality: { kind: 'manual' }, clock: { startMs: Date.UTC(2029, 0, 1) } },
  });
  await source.call('dev_newBlock', { count: 3 });
  const blocks = await loadBlocks(source.node, 3);
  const best = source.best();
  await source.stop();
  const [mute, helpful] = [openEnd(), openEnd()];
  mute.greet(best);
  await mute.next('request');
  helpful.greet(lost);
  await helpful.next('request');
  helpful.greet(best);
  await helpful.settle();
  helpful.send({ type: 'blocks', target: lost.hash, blocks: [] });
  expect((await helpful.next('request')).target).toBe(best.hash);
  helpful.send({ type: 'blocks', target: best.hash, blocks });
  await helpful.settle();
  expect(dev.best().hash).toBe(best.hash);
  fire();
});

test('votes that arrive before the voter does wait for it, as far as there is room', async () => {
  const { node } = dev;
  const deps = { ...node.parts, now: () => nowMs, schedule: () => () => undefined, isSyncing: () => false };
  const lazy = createLinks({ ...deps, onError: (error) => expect.fail(String(error)) });
  const end = openEnd(lazy.open);
  await end.next('status');
  end.greet();
  for (let nth = 0; nth < maxEarly + 2; nth++) end.send({ type: 'grandpa', bytes: Uint8Array.of(nth) });
  await end.settle();
  const received: number[] = [];
  const stop = lazy.gossip.onMessage((_peer, [nth]) => received.push(nth as number));
  expect(received).toEqual(Array.from({ length: maxEarly }, (_, nth) => nth + 2));
  end.send({ type: 'grandpa', bytes: Uint8Array.of(200) });
  await end.settle();
  expect(received.splice(0).at(-1)).toBe(200);
  stop();
  // Between two voters, and limited by size too.
  end.send({ type: 'grandpa', bytes: Uint8Array.of(201) });
  for (const nth of [202, 203])
    end.send({ type: 'grandpa', bytes: new Uint8Array(maxEarlyBytes / 2).fill(nth) });
  await end.settle();
  lazy.gossip.onMessage((_peer, [nth]) => received.push(nth as number));
  expect(received).toEqual([202, 203]);
  await lazy.close();
});
