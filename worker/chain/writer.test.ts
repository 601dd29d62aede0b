import { expect, it } from 'vitest';
import { type BlockHash, bytesToBlockHash } from '../codec/identity.ts';
import type { ExecutedBlock } from './import.ts';
import { createBlockTree } from './tree.ts';
import { commitBlock, finalizeBlock } from './writer.ts';

const hashOf = (digit: string): BlockHash => `0x${digit.repeat(64)}` as BlockHash;

it('a commit gives way before and after its write, and is told last', async () => {
  const steps: string[] = [];
  const note = (step: string) => async (): Promise<void> => void steps.push(step);
  const root = { hash: hashOf('0'), number: 0, parent: hashOf('f'), weight: 0, isOwn: false };
  const tree = createBlockTree(root);
  const header = {
    parentHash: new Uint8Array(32),
    number: 1,
    stateRoot: new Uint8Array(32),
    extrinsicsRoot: new Uint8Array(32),
    digest: [],
  };
  const executed = {
    hash: hashOf('1'),
    block: { header, extrinsics: [] },
    parent: root,
    weight: 0,
    execution: { nodes: [], changes: { main: [], children: [], offchain: [] } },
  } as unknown as ExecutedBlock;
  type Deps = Parameters<typeof commitBlock>[0];
  const deps = {
    db: { write: note('write') },
    store: { stage: () => undefined, accept: () => steps.push('accept'), journals: () => 0 },
    tree,
    view: { remember: () => undefined },
    events: { emit: note('tell') },
    identity: { genesis: root.hash, identity: new Uint8Array(32) },
    indexing: false,
  } as unknown as Deps;
  const step = { ok: true, justification: null, stage: () => undefined, accept: () => undefined } as const;
  const pace = { isDue: () => true, pause: note('give way') };
  const result = await commitBlock(deps, executed, step, {
    pace,
    finalize: false,
    isFromFile: false,
  });
  expect(result).toEqual({ ok: true, hash: executed.hash, number: 1, isBest: true });
  expect(steps).toEqual(['give way', 'write', 'give way', 'accept', 'tell']);
});

it('finality stands when a lost branch cannot be deleted, and the next one deletes it', async () => {
  const root = { hash: hashOf('0'), number: 0, parent: hashOf('f'), weight: 0, isOwn: false };
  const tree = createBlockTree(root);
  const insert = (digit: string, number: number, parent: string): void =>
    tree.insert({ hash: hashOf(digit), number, parent: hashOf(parent), weight: 0, isOwn: false });
  insert('1', 1, '0');
  insert('a', 1, '0');
  insert('2', 2, '1');
  insert('b', 2, '1');
  tree.setBest(hashOf('2'));
  const errors: unknown[] = [];
  const deleted: BlockHash[][] = [];
  let isBroken = true;
  type Deps = Parameters<typeof finalizeBlock>[0];
  const deps = {
    db: {
      get: async () => null,
      write: async ({ deletes }: { deletes: readonly [store: string, key: Uint8Array][] }) => {
        const bodies = deletes.flatMap(([store, key]) => (store === 'bodies' ? [bytesToBlockHash(key)] : []));
        if (bodies.length === 0) return;
        if (isBroken) throw new Error('the disk is full');
        deleted.push(bodies);
      },
    },
    tree,
    view: { loadHeader: async () => ({ number: 1 }), forgetBlocks: () => undefined },
    finality: {
      finalizeBlock: async () => ({
        ok: true,
        justification: null,
        stage: () => undefined,
        accept: () => undefined,
      }),
    },
    events: { emit: async () => undefined },
    identity: { genesis: root.hash, identity: new Uint8Array(32) },
    keep: async () => new Set(),
    onError: (error: unknown) => errors.push(error),
    overdue: [],
  } as unknown as Deps;
  await finalizeBlock(deps, hashOf('1'), null);
  expect([tree.finalized().hash, errors.length]).toEqual([hashOf('1'), 1]);
  isBroken = false;
  await finalizeBlock(deps, hashOf('2'), null);
  expect(deleted).toEqual([[hashOf('a'), hashOf('b')]]);
  expect(errors.length).toBe(1);
});
