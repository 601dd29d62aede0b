import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { textToBytes } from '../worker/bytes/bytes.ts';
import type { SignedBlock } from '../worker/codec/signed-block.ts';
import { costs } from '../worker/link/costs.ts';
import { handle } from '../worker/link/exchange.ts';
import { createPeers } from '../worker/link/peers.ts';
import type { LinkMessage } from '../worker/link/wire.ts';
import { type DevNode, startDevNode } from './dev-node.ts';
import { loadBlocks } from './grandpa-rig.ts';

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
  const peers = { ...createPeers(listeners, () => 0), rate: vi.fn() };
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
