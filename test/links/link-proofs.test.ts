import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NodeError } from '../../src/protocol/errors.ts';
import { textToBytes } from '../../worker/bytes/bytes.ts';
import { type BlockHash, bytesToBlockHash } from '../../worker/codec/identity.ts';
import type { SignedBlock } from '../../worker/codec/signed-block.ts';
import { handle } from '../../worker/link/exchange.ts';
import { costs, createPeerSet } from '../../worker/link/peers.ts';
import type { LinkMessage } from '../../worker/link/wire.ts';
import { loadBlocks } from '../consensus/grandpa-rig.ts';
import { type DevNode, startDevNode } from '../rigs/dev-node.ts';

let dev: DevNode;
beforeEach(async () => {
  dev = await startDevNode({ changes: { finality: { kind: 'manual' } } });
});
afterEach(() => dev.stop());

const fail = (error: unknown): void => {
  throw error;
};

/** The node's side of a link with one peer, whose messages a test makes itself. */
const meet = () => {
  const listeners = { message: new Set<never>(), peer: new Set<never>(), leave: new Set<never>(), early: [] };
  const peers = { ...createPeerSet(listeners, () => 0), rate: vi.fn() };
  const sent: LinkMessage[] = [];
  const peer = peers.add({ send: (message) => sent.push(message), end: () => undefined });
  peer.isReady = true;
  const { chain, grandpa, crypto } = dev.node.parts;
  const deps = {
    chain,
    grandpa,
    crypto,
    peers,
    schedule: () => () => undefined,
    isSyncing: () => false,
    onError: fail,
  };
  return { sent, rate: peers.rate, receive: (message: LinkMessage) => handle(deps, peer, message) };
};

test('a bad proof with a good block costs its sender the proof, and the block is imported', async () => {
  const clock = { startMs: Date.UTC(2029, 0, 1) };
  const other = await startDevNode({ changes: { finality: { kind: 'manual' }, clock } });
  await other.call('dev_newBlock', { count: 2 });
  const [first, second] = (await loadBlocks(other.node, 2)) as [SignedBlock, SignedBlock];
  await other.stop();
  const { receive, rate } = meet();
  const junk = [textToBytes('FRNK'), Uint8Array.of(1, 2, 3)] as const;
  await receive({ type: 'block', block: { ...first, justifications: [junk] } });
  expect(dev.best().number).toBe(1);
  expect(dev.finalized().number).toBe(0);
  expect(rate.mock.calls).toEqual([['link 1', costs.badProof]]);
  await receive({ type: 'block', block: second });
  expect(dev.best().number).toBe(2);
  const stateRoot = new Uint8Array(32);
  const bad = { ...second, header: { ...second.header, stateRoot }, justifications: [junk] };
  await receive({ type: 'block', block: bad });
  expect(rate.mock.calls.at(-1)).toEqual(['link 1', costs.badBlock]);
});

/** A chain whose authority set changes after every block, of which one node has finalized all and another none. */
const createSides = (changes: number) => {
  const hashAt = (number: number) =>
    bytesToBlockHash(new Uint8Array(32).fill(number & 0xff).with(0, number >> 8));
  const newest = changes + 1;
  const best = { hash: hashAt(newest), number: newest };
  const numberOf = new Map(Array.from({ length: newest + 1 }, (_, number) => [hashAt(number), number]));
  const tree = { get: (hash: BlockHash) => ({ hash, number: numberOf.get(hash) }) };
  const base = { best: () => best, base: { hash: hashAt(0), number: 0 }, view: { tree } };
  const ahead = {
    ...base,
    finalized: () => best,
    loadHashAt: async (number: number) => hashAt(number),
    loadBlock: async (hash: BlockHash) => ({
      justifications: [[textToBytes('FRNK'), Uint8Array.of(numberOf.get(hash) as number)]],
    }),
  };
  let finalized = 0;
  const behind = {
    ...base,
    finalized: () => ({ hash: hashAt(finalized), number: finalized }),
    // The set after block n proves block n + 1, and nothing else.
    finalize: async (hash: BlockHash) => {
      const number = numberOf.get(hash) as number;
      if (number !== finalized + 1) throw new NodeError('BadJustification');
      finalized = number;
    },
  };
  const last = Array.from({ length: changes }, (_, index) => ({ setId: BigInt(index), last: index + 1 }));
  const grandpa = { authoritySet: async () => ({ changes: last, justified: best }) };
  const rate = vi.fn();
  const side = (chain: object) => {
    const listeners = {
      message: new Set<never>(),
      peer: new Set<never>(),
      leave: new Set<never>(),
      early: [],
    };
    const peers = { ...createPeerSet(listeners, () => 0), rate };
    const sent: LinkMessage[] = [];
    const peer = peers.add({ send: (message) => sent.push(message), end: () => undefined });
    const deps = { chain, grandpa, crypto: {}, peers } as unknown as Parameters<typeof handle>[0];
    return { sent, receive: (message: LinkMessage) => handle(deps, peer, message) };
  };
  return { ahead: side(ahead), behind: side(behind), rate, finalized: () => finalized, statusOf: base };
};

test.each([1, 64, 65, 200])(
  'a node that is %i set changes behind gets all proofs, in turns',
  async (changes) => {
    const { ahead, behind, rate, finalized, statusOf } = createSides(changes);
    const status = { type: 'status', genesis: statusOf.base.hash, best: statusOf.best() } as const;
    const none = statusOf.base;
    await behind.receive({ ...status, finalized: status.best });
    await ahead.receive({ ...status, finalized: none });
    // Only what was known before is sent: further messages are answers to messages.
    for (let message = ahead.sent.shift(); message !== undefined; message = ahead.sent.shift()) {
      await behind.receive(message);
      for (const answer of behind.sent.splice(0)) await ahead.receive(answer);
      expect(ahead.sent.length, 'proofs under way').toBeLessThanOrEqual(2 * 64 + 4);
    }
    expect(finalized()).toBe(changes + 1);
    expect(rate).not.toHaveBeenCalled();
  },
);
