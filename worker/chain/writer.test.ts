import { expect, it } from 'vitest';
import type { BlockHash } from '../codec/identity.ts';
import type { ExecutedBlock } from './import.ts';
import { createBlockTree } from './tree.ts';
import { commitBlock } from './writer.ts';

const hashOf = (digit: string): BlockHash => `0x${digit.repeat(64)}` as BlockHash;

it('a commit gives way before and after its write, and is told last', async () => {
  const steps: string[] = [];
  const note = (step: string) => async (): Promise<void> => void steps.push(step);
  const root = { hash: hashOf('0'), number: 0, parent: hashOf('f'), weight: 0 };
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
  const result = await commitBlock(deps, executed, step, { pace });
  expect(result).toEqual({ ok: true, hash: executed.hash, number: 1, isBest: true });
  expect(steps).toEqual(['give way', 'write', 'give way', 'accept', 'tell']);
});
