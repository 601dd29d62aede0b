import { expect, it } from 'vitest';
import type { Connection } from '../../../src/index.ts';
import { NodeError } from '../../../src/index.ts';
import type { RemoteNode } from '../../../src/remote.ts';
import { RemoteLink } from './remote-link.svelte.ts';

const address = 'ws://127.0.0.1:9944/';
const info = { chainName: 'Fake', genesisHash: '0x00', bestHash: '0x00', bestNumber: 0, finalizedNumber: 0 };

/** A connection that the test can close. */
const fakeNode = () => {
  const listeners = new Set<(reason: NodeError) => void>();
  let closed = 0;
  const connection = {
    onClose: (listener: (reason: NodeError) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => {
      closed += 1;
    },
  } as unknown as Connection;
  const node = { url: address, software: 'Fake 1', methods: new Set(['a_b']), info, connection };
  return {
    node: node as unknown as RemoteNode,
    lose: () => {
      for (const listener of listeners) listener(new NodeError('Disconnected'));
    },
    closed: () => closed,
  };
};

/** A link whose attempts and delays the test controls. */
const openLink = () => {
  const attempts: PromiseWithResolvers<RemoteNode>[] = [];
  const waits: { readonly ms: number; readonly run: () => void; isOver: boolean }[] = [];
  const store = new Map<string, string>();
  Object.assign(globalThis, {
    localStorage: {
      getItem: (key: string) => store.get(key) ?? null,
      setItem: (key: string, value: string) => void store.set(key, value),
    },
  });
  const link = new RemoteLink(address, {
    open: () => {
      const attempt = Promise.withResolvers<RemoteNode>();
      attempts.push(attempt);
      return attempt.promise;
    },
    later: (run, ms) => {
      const wait = { ms, run, isOver: false };
      waits.push(wait);
      return () => {
        wait.isOver = true;
      };
    },
  });
  return { link, attempts, waits, store };
};

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const gone = new NodeError('Disconnected', 'Nothing answers.');

it('backs off after each failure, and starts over after a success', async () => {
  const { link, attempts, waits } = openLink();
  void link.connect();
  for (let tries = 0; tries < 9; tries += 1) {
    attempts.at(-1)?.reject(gone);
    await settled();
    expect(link.phase).toMatchObject({ kind: 'lost', node: null, error: gone });
    waits.at(-1)?.run();
  }
  expect(waits.map(({ ms }) => ms)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  const { node, lose } = fakeNode();
  attempts.at(-1)?.resolve(node);
  await settled();
  lose();
  expect(waits.at(-1)?.ms).toBe(500);
});

it('keeps the lost node, and replaces it after reconnecting', async () => {
  const { link, attempts, store } = openLink();
  const first = fakeNode();
  void link.connect();
  attempts[0]?.resolve(first.node);
  await settled();
  expect(link.phase).toMatchObject({ kind: 'open', node: { remote: { url: address, software: 'Fake 1' } } });
  const { node } = link.phase;
  expect(node?.offers('a_b')).toBe(true);
  expect(node?.offers('dev_status')).toBe(false);
  expect(store.get('tabnode.nodes')).toBe(`[{"id":"${address}","chain":"Fake"}]`);
  first.lose();
  expect(link.phase).toMatchObject({ kind: 'lost', node });
  void link.connect();
  expect(link.phase).toMatchObject({ kind: 'connecting', node, error: { code: 'Disconnected' } });
  attempts[1]?.resolve(fakeNode().node);
  await settled();
  expect(link.phase.kind).toBe('open');
  expect(link.phase.node).not.toBe(node);
});

it('stops if retrying would not help', async () => {
  const { link, attempts, waits } = openLink();
  const refused = new NodeError('NotAllowed', 'Start it with --rpc-cors all.');
  void link.connect();
  attempts[0]?.reject(refused);
  await settled();
  expect(link.phase).toEqual({ kind: 'refused', node: null, error: refused });
  expect(waits).toEqual([]);
});

it('tries again if it is refused where it was connected before', async () => {
  const { link, attempts, waits } = openLink();
  const first = fakeNode();
  void link.connect();
  attempts[0]?.resolve(first.node);
  await settled();
  first.lose();
  void link.connect();
  attempts[1]?.reject(new NodeError('NotAllowed', 'Start it with --rpc-cors all.'));
  await settled();
  expect(link.phase).toMatchObject({ kind: 'lost', error: { code: 'Disconnected' } });
  expect(link.phase).not.toMatchObject({ error: { message: expect.stringContaining('--rpc-cors') } });
  expect(waits.at(-1)?.isOver).toBe(false);
});

it('opens a single connection however often it is asked to, and none after close', async () => {
  const { link, attempts, waits } = openLink();
  void link.connect();
  attempts[0]?.reject(gone);
  await settled();
  void link.connect();
  expect(waits[0]?.isOver).toBe(true);
  void link.connect();
  const late = fakeNode();
  attempts[1]?.resolve(late.node);
  await settled();
  expect(late.closed()).toBe(1);
  expect(link.phase.kind).toBe('connecting');
  const taken = fakeNode();
  attempts[2]?.resolve(taken.node);
  await settled();
  expect(link.phase.kind).toBe('open');
  // For example, because the browser is online again.
  void link.connect();
  expect(attempts).toHaveLength(3);
  expect(link.phase.kind).toBe('open');
  link.close();
  await settled();
  expect(taken.closed()).toBe(1);
});
