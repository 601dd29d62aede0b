import { expect, it } from 'vitest';
import { readChainFile } from './read-chain-file.ts';

const block = JSON.stringify({ block: { header: { number: '0x1' }, extrinsics: [] }, justifications: null });

it.each([
  ['lines', `${block}\n${block}\n`],
  ["the SDK's JSON, one block right after the other", `${block}${block}`],
])('recognizes blocks as %s', async (_what, text) => {
  expect(await readChainFile(new File([text], 'blocks'))).toMatchObject({
    kind: 'blocks',
    count: 2,
    lines: [block, block],
  });
});
