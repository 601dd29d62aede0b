import { afterEach, describe, expect, it } from 'vitest';
import { connectNodes, type NodeOptions, startNode, type TabNode } from '../../src/index.ts';
import { signedSetKeys } from '../dev/set-keys.ts';

const inPage = 'document' in globalThis;
const databaseName = 'tabnode-test-bob';

const ended = new Set<AbortController>();
/** Ends their workers without notice, as when a tab is closed. */
const kill = (one: AbortController): void => {
  ended.delete(one);
  one.abort();
};
afterEach(async () => {
  for (const one of ended) kill(one);
  await new Promise<void>((resolve, reject) => {
    const request = indexedDB.deleteDatabase(databaseName);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
  });
});

type Voter = { readonly node: TabNode; readonly end: AbortController };

const chain = {
  wasm: new URL('/tabnode-runtime.compact.compressed.wasm', import.meta.url),
  preset: 'local_testnet',
  patch: JSON.stringify({ validators: { sessionSlots: 10 } }),
};

const start = async (options: NodeOptions): Promise<Voter> => {
  const end = new AbortController();
  ended.add(end);
  const wasm = new Uint8Array(await (await fetch(chain.wasm)).arrayBuffer());
  const node = await startNode({
    chain: { ...chain, wasm },
    seal: 'manual',
    finality: 'grandpa',
    signal: end.signal,
    ...options,
  });
  return { node, end };
};
/** She seals all blocks. They are old enough for the clocks of the others, however fast they follow each other. */
const startAlice = (): Promise<Voter> => start({ keys: ['//Alice'], clock: new Date(Date.UTC(2025, 5, 15)) });
const startBob = (): Promise<Voter> =>
  start({ keys: ['//Bob'], storage: { kind: 'indexeddb', name: databaseName } });

/** Resolves when a block of this height is final. */
const whenFinal = async ({ rpc }: TabNode, height: number): Promise<void> => {
  const reached = Promise.withResolvers<void>();
  const off = await rpc.chain_subscribeFinalizedHeads({}, ({ number }) => {
    if (Number(number) >= height) reached.resolve();
  });
  await reached.promise;
  await off();
};
const finalOf = async (node: TabNode): Promise<number> => (await node.status()).finalizedNumber;
const sealTo = async ({ node }: Voter, height: number): Promise<void> => {
  while ((await node.status()).bestNumber < height)
    await node.rpc.engine_createBlock({ create_empty: true, finalize: false });
};
/** The votes stay two blocks behind the best one. */
const bothFinalize = async (alice: Voter, bob: Voter, height: number): Promise<void> => {
  await sealTo(alice, height + 2);
  await Promise.all([alice, bob].map(({ node }) => whenFinal(node, height)));
  const hashes = await Promise.all(
    [alice, bob].map(({ node }) => node.rpc.chain_getBlockHash({ hash: height })),
  );
  expect(hashes[1]).toBe(hashes[0]);
};
const setOf = async ({ node }: Voter) => (await node.rpc.dev_grandpa()) as Record<string, unknown>;

describe.skipIf(!inPage)('Alice and Bob in two workers', () => {
  it('finalize 30 blocks and a change of the set; without Bob finality waits, and a third node verifies all', {
    timeout: 120_000,
  }, async () => {
    const [alice, bob] = await Promise.all([startAlice(), startBob()]);
    await connectNodes(alice.node, bob.node);
    for (let height = 10; height <= 30; height += 10) await bothFinalize(alice, bob, height);

    kill(bob.end);
    const { bestNumber: left } = await alice.node.status();
    await sealTo(alice, left + 5);
    expect(await finalOf(alice.node)).toBeLessThanOrEqual(left);
    const again = await startBob();
    await connectNodes(again.node, alice.node);
    await bothFinalize(alice, again, left + 5);

    const before = await setOf(alice);
    const { node } = alice;
    await node.rpc.author_submitExtrinsic({ extrinsic: await signedSetKeys(node) });
    // Two sessions later the new keys vote.
    const last = (await node.status()).bestNumber + 20;
    await bothFinalize(alice, again, last);
    const after = await setOf(alice);
    expect(before).toMatchObject({ setId: '0', doubleVotes: [] });
    expect(after).toMatchObject({ setId: '1', thresholdWeight: '2', doubleVotes: [] });
    expect(after['authorities']).not.toEqual(before['authorities']);
    expect(await setOf(again)).toMatchObject({ setId: '1', doubleVotes: [] });

    const third = await start({ keys: [] });
    await connectNodes(third.node, again.node);
    await whenFinal(third.node, last);
    expect(await setOf(third)).toMatchObject({
      setId: '1',
      authorities: [{ isOwn: false }, { isOwn: false }],
    });
    expect(await third.node.rpc.chain_getBlockHash({ hash: last })).toBe(
      await node.rpc.chain_getBlockHash({ hash: last }),
    );
  });
});
