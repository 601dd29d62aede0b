import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { bodyOf, post } from '../clients/test-clients.fixture.ts';
import { type Ready, startProcess, startServe } from '../clients/test-process.fixture.ts';

type InNetwork = Ready & { readonly addresses: readonly string[]; readonly peerId: string };
type Described = {
  readonly joined: boolean;
  readonly peers: readonly { readonly peerId: string }[];
  readonly unreachable: Readonly<Record<string, string>>;
};

/** A node of another process, in memory. */
const startNode = async (...args: readonly string[]) => {
  const child = await startServe('--tmp', ...args);
  const ready = child.ready as InNetwork;
  const call = async <T>(method: string, ...params: readonly unknown[]): Promise<T> => {
    const response = await post(ready.http, bodyOf(method, params));
    const { error, result } = (await response.json()) as { error?: { message: string }; result: T };
    if (error !== undefined) throw Object.assign(new Error(), error);
    return result;
  };
  return {
    ...{ ...ready, call },
    stop: async (): Promise<void> => {
      child.kill('SIGTERM');
      expect(await child.ended).toMatchObject({ code: 0 });
    },
    network: (change?: unknown) => call<Described>('dev_network', ...(change === undefined ? [] : [change])),
  };
};

type Node = Awaited<ReturnType<typeof startNode>>;

const start = async (...args: readonly string[]): Promise<Node> => {
  const node = await startNode(...args);
  onTestFinished(node.stop);
  return node;
};

const quiet = ['serve', '--tmp', '--ws-port', '0', '--rpc-port', '0'] as const;
const local = ['--chain', 'local_testnet'] as const;
const tcp = ['--listen-addr', '/ip4/127.0.0.1/tcp/0'] as const;
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

const peersOf = async (node: Node): Promise<readonly string[]> =>
  (await node.network()).peers.map(({ peerId }) => peerId);
const haveEachOther = (one: Node, two: { readonly peerId: string }) =>
  expect.poll(() => peersOf(one), { timeout: 20_000 }).toContain(two.peerId);

let alice: Node;
beforeAll(async () => {
  alice = await startNode(...local, '--alice', ...tcp);
});
afterAll(() => alice.stop());

test('a node that joins a network while it runs dials TCP, and does so again after it has left', async () => {
  const bob = await start(...local, '--seal', 'manual');
  const [address] = alice.addresses;
  for (const _round of [1, 2]) {
    expect(await bob.network({ join: { bootNodes: [address] } })).toMatchObject({ joined: true });
    await haveEachOther(bob, alice);
    expect(await refusal(bob.network({ ban: 'nobody' }))).toMatchObject({ data: 'BadKey' });
    expect(await bob.network({ leave: true })).toMatchObject({ joined: false, peers: [] });
  }
});

test('peers that are reserved before a node joins are dialed then, and listed with those of its flags', async () => {
  const bob = await start(...local, '--seal', 'manual');
  expect(await bob.call('system_addReservedPeer', alice.addresses[0])).toBeNull();
  expect(await bob.network()).toMatchObject({ joined: false, peers: [] });
  await bob.network({ join: { reservedOnly: true } });
  await haveEachOther(bob, alice);
  const carol = await start(...local, '--reserved-nodes', alice.addresses[0] as string);
  expect(await carol.call('system_reservedPeers')).toEqual([alice.peerId]);
  await haveEachOther(carol, alice);
  await carol.network({ ban: alice.peerId });
  expect(await refusal(carol.network({ dial: alice.addresses[0] }))).toMatchObject({ data: 'PeerFailed' });
});

test('a node says why others that it reaches are not its peers, and keeps its slots when it joins again', async () => {
  const full = await start(...local, '--in-peers', '0', ...tcp);
  await full.network({ leave: true });
  await full.network({ join: { bootNodes: [] } });
  const [refused, stranger] = [
    await start(...local, '--bootnodes', full.addresses[0] as string),
    await start('--chain', 'development', '--bootnodes', full.addresses[0] as string),
  ];
  const why = async (node: Node) => (await node.network()).unreachable[full.peerId] ?? '';
  await expect.poll(() => why(refused), { timeout: 20_000 }).toMatch(/takes no more peers/);
  await expect.poll(() => why(stranger), { timeout: 20_000 }).toMatch(/on another chain/);
});

test('a node without peers says after a while why, and which flags have no effect', async () => {
  const nowhere = `/ip4/127.0.0.1/tcp/1/p2p/${alice.peerId}`;
  const [lost, alone, off] = [
    startProcess(...quiet, ...local, '--bootnodes', nowhere),
    startProcess(...quiet, ...local, '--network'),
    startProcess(...quiet, ...local, '--in-peers', '0', '--reserved-only'),
  ];
  await Promise.all([
    lost.said(/No connection with 12D3\w+ yet: 127.0.0.1:1 cannot be reached/),
    alone.said(/no node to connect with: name one with --bootnodes/),
    off.said(/Without effect.*: --reserved-only, --in-peers; add --network/),
  ]);
  for (const child of [lost, alone, off]) child.kill('SIGTERM');
  for (const child of [lost, alone, off]) expect(await child.ended).toMatchObject({ code: 0 });
});

test('two nodes whose chains begin in the past and have parted meet again', async () => {
  const past = ['--seal', 'manual', '--clock', '2025-01-01'] as const;
  const [left, right] = [
    await start(...local, '--alice', ...past, ...tcp),
    await start(...local, '--bob', ...past, ...tcp),
  ];
  const seal = (node: Node) => node.call('engine_createBlock', true, false);
  for (let count = 0; count < 20; count++) await seal(left);
  for (let count = 0; count < 30; count++) await seal(right);
  await left.network({ dial: right.addresses[0] });
  const best = (node: Node) => node.call('chain_getBlockHash');
  await expect.poll(() => best(left), { timeout: 20_000 }).toBe(await best(right));
  // The blocks of the fork that lost are there.
  expect(
    await right.call('chain_getHeader', (await left.call<string[]>('chain_getBlockHash', [1]))[0]),
  ).not.toBeNull();
});
