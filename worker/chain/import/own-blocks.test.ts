import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { describe, expect, it } from 'vitest';
import { openApi } from '../../../test/rigs/api.ts';
import { createTestPlatform, testConfig } from '../../../test/rigs/platform.ts';
import { sealWith } from '../../../test/rigs/reseal.ts';
import type { Block } from '../../codec/block.ts';
import type { Database } from '../../db/database.ts';
import { createMemoryDatabase } from '../../db/memory.ts';
import { createNode, type Node } from '../../node.ts';
import { createEmptyBackend } from '../../state/backend.ts';
import { emptySource } from '../../trie/node-source.ts';
import type { Execution } from '../steps.ts';

/** An own block whose header and execution contain the same wrong state root. */
const forge = async (): Promise<{ readonly block: Block; readonly execution: Execution }> => {
  const node = await createNode(createTestPlatform({ now: () => 1.8e12 }), testConfig('development'));
  const { author, chain, crypto } = node.parts;
  await author.seal({ createEmpty: true, finalize: false });
  const made = (await chain.loadBlock(chain.best().hash)) as Block;
  await node.close();
  const backend = createEmptyBackend({ blake2b256: crypto.blake2b256, source: emptySource });
  const changes = { main: [], children: [], offchain: [] };
  const header = sealWith(crypto, { ...made.header, stateRoot: backend.root });
  return {
    block: { ...made, header },
    execution: { backend, nodes: [], removed: [], changes },
  };
};

/** Submits transfers from //Alice to this many new accounts. */
const submitTransfers = async (node: Node, count: number): Promise<void> => {
  await cryptoWaitReady();
  const { api, close } = await openApi(node);
  const alice = new Keyring({ type: 'sr25519' }).addFromUri('//Alice');
  for (let nonce = 0; nonce < count; nonce++) {
    const to = new Uint8Array(32).fill(nonce % 251, 0, 16).fill(nonce % 241, 16);
    const transfer = api.tx['balances']?.['transferAllowDeath']?.(to, 1_000_000_000_000n);
    await (await transfer?.signAsync(alice, { nonce }))?.send();
  }
  await close();
};

describe('a block of our own', () => {
  it('has the root of its execution even if the root is computed in parts', async () => {
    const config = testConfig('development', { verifyOwnBlocks: true });
    const node = await createNode(createTestPlatform(), config);
    await submitTransfers(node, 300);
    expect(await node.parts.author.seal({ createEmpty: false, finalize: false })).toMatchObject({
      ok: true,
      included: 300,
    });
    await node.close();
  });
  it('is read from memory right after it was sealed, and from the database after reopening', async () => {
    const db = createMemoryDatabase();
    let read = 0;
    const get: Database['get'] = (store, key) => {
      if (store === 'bodies') read++;
      return db.get(store, key);
    };
    const platform = { db: { ...db, get, close: async () => undefined }, now: () => 1.8e12 };
    const first = await createNode(createTestPlatform(platform), testConfig('development'));
    // Startup reads the head's body to check that it is intact.
    read = 0;
    await first.parts.author.seal({ createEmpty: true, finalize: false });
    const { hash } = first.parts.chain.best();
    const made = await first.parts.chain.loadBlock(hash);
    await first.close();
    expect(made?.extrinsics.length).toBeGreaterThan(0);
    expect(read).toBe(0);
    const second = await createNode(createTestPlatform(platform), testConfig('development'));
    read = 0;
    expect(await second.parts.chain.loadBlock(hash)).toEqual(made);
    expect(read).toBe(1);
    await second.close();
  });
  it.each([
    [false, { ok: true, number: 1 }],
    [true, { ok: false, code: 'BadBlock' }],
  ] as const)(
    "verifyOwnBlocks %s: an execution that differs from the block's",
    async (verifyOwnBlocks, end) => {
      const { block, execution } = await forge();
      const own = { execution, finalize: true, buildMs: 0 };
      const node = await createNode(createTestPlatform(), testConfig('development', { verifyOwnBlocks }));
      expect(await node.parts.chain.import(block, { own })).toMatchObject(end);
      expect(node.parts.chain.best().number).toBe(end.ok ? 1 : 0);
      await node.close();
    },
  );
});
