import { expect, it } from 'vitest';
import { NodeError } from '../../src/protocol/errors.ts';
import type { MissingNode } from '../trie/missing-nodes.ts';
import { missingNode } from '../trie/missing-nodes.ts';
import type { NodeBatch } from '../trie/node-source.ts';
import { shareProofs } from './shared-proofs.ts';

const node = (id: number): MissingNode => missingNode(new Uint8Array(32).fill(id), Uint8Array.of(id));
const ids = (nodes: readonly MissingNode[]): number[] => nodes.map(({ hash }) => hash[0] as number);

/** Proofs that are answered on demand; those of the `lost` nodes fail. */
const createProver = (lost: readonly number[] = []) => {
  const asked: number[][] = [];
  const held: (() => void)[] = [];
  const prove = shareProofs(async (missing): Promise<NodeBatch> => {
    asked.push(ids(missing));
    await new Promise<void>((resolve) => held.push(resolve));
    if (ids(missing).some((id) => lost.includes(id))) throw new NodeError('NotCached', 'lost');
    return missing.map(({ hash }) => [hash, Uint8Array.of(hash[0] as number)]);
  });
  const answer = async (): Promise<void> => {
    await expect.poll(() => held.length).toBeGreaterThan(0);
    held.shift()?.();
  };
  return { asked, prove, answer };
};
const valuesOf = async (proof: Promise<NodeBatch>): Promise<number[]> =>
  (await proof).map(([, bytes]) => bytes[0] as number);

it('asks once for what is missed in one turn', async () => {
  const { asked, prove, answer } = createProver();
  const proofs = [prove([node(1)]), prove([node(2)]), prove([node(1), node(3)])];
  await answer();
  expect(await valuesOf(proofs[2] as Promise<NodeBatch>)).toEqual(expect.arrayContaining([1, 3]));
  await Promise.all(proofs);
  expect(asked).toEqual([[1, 2, 3]]);
});

it('does not ask again for a node that is on its way, and does after it has come', async () => {
  const { asked, prove, answer } = createProver();
  const first = prove([node(1)]);
  await expect.poll(() => asked.length).toBe(1);
  const second = prove([node(1), node(2)]);
  await expect.poll(() => asked.length).toBe(2);
  await answer();
  await answer();
  expect([await valuesOf(first), await valuesOf(second)]).toEqual([[1], expect.arrayContaining([1, 2])]);
  const third = prove([node(1)]);
  await answer();
  await third;
  expect(asked).toEqual([[1], [2], [1]]);
});

it('what is lost fails only the run that needs it', async () => {
  const { asked, prove, answer } = createProver([2]);
  const [kept, lost] = [prove([node(1)]), prove([node(2)])];
  lost.catch(() => undefined);
  for (let request = 0; request < 3; request++) await answer();
  expect(await valuesOf(kept)).toEqual([1]);
  await expect(lost).rejects.toMatchObject({ code: 'NotCached' });
  expect(asked).toEqual([[1, 2], [1], [2]]);
});

it('another failure fails all at once', async () => {
  let requests = 0;
  const prove = shareProofs(async () => {
    requests += 1;
    throw new NodeError('EndpointFailed', 'gone');
  });
  const proofs = await Promise.allSettled([prove([node(1)]), prove([node(2)])]);
  expect(proofs.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(requests).toBe(1);
});
