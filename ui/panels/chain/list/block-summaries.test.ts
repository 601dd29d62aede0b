import { expect, it, vi } from 'vitest';
import { BlockSummaries } from './block-summaries.svelte.ts';

it('a block that was read for a row is reported, so that it can be folded', async () => {
  const header = { number: '0x0', parentHash: '0x00', digest: { logs: [] } };
  const block = { hash: '0x0a', number: 0, header, extrinsics: [], fresh: false };
  const learned: unknown[] = [];
  const context = { chain: { loadBlock: async () => block } };
  const words = new BlockSummaries(context as never, String, (one) => learned.push(one));
  words.want('0x0a');
  await vi.waitFor(() => expect(words.of('0x0a')).toMatchObject({ bold: 'Genesis' }));
  expect(learned).toEqual([block]);
});
