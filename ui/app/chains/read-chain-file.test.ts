import { expect, it } from 'vitest';
import { firstModes } from '../../node/client/chain-modes.ts';
import { writeArchive } from './chain-archive.ts';
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

it.each([
  ['{"tabnodeChain":2,"origin":{"kind":"preset","preset":"development"}}', /another version of Tabnode/],
  ['{"tabnodeChain":1,"name":"Mine","ori', /first line.*damaged/],
  ['{"tabnodeChain":1,"name":"Mine","origin":{"kind":"magic"}}', /first line.*damaged/],
])('an exported chain that cannot be read says why: %s', async (first, why) => {
  const file = await readChainFile(new File([`${first}\n${block}\n`], 'mine.jsonl'));
  expect(file).toMatchObject({ kind: 'unknown', why: expect.stringMatching(why) });
});

it('recognizes the pack of a fork, of any version, and says what else it is that looks like one', async () => {
  const read = (text: string) => readChainFile(new File([text], 'mine.pack'));
  const pack = new TextEncoder().encode('tabnode fork 2\nmore');
  expect(await read('tabnode fork 2\nmore')).toEqual({ kind: 'pack', name: '', fileName: 'mine.pack', pack });
  expect(await read('tabnode fork 9\n')).toMatchObject({ kind: 'pack' });
  expect(await read('tabnode block 1\n')).toMatchObject({
    kind: 'unknown',
    why: expect.stringContaining('tabnode run-block --pack mine.pack'),
  });
});

it('an exported chain without a name has one', async () => {
  const first = '{"tabnodeChain":1,"origin":{"kind":"preset","preset":"development"}}';
  expect(await readChainFile(new File([`${first}\n${block}\n`], 'x'))).toMatchObject({
    kind: 'archive',
    name: 'Imported chain',
    archive: { lines: [block], modes: firstModes },
  });
});

it('an exported chain goes on as it was sealed and finalized', async () => {
  const origin = { kind: 'preset', preset: 'development' } as const;
  const modes = {
    seal: { kind: 'manual' },
    finality: { kind: 'manual' },
    clock: 'chain',
    states: 'recent',
  } as const;
  const text = writeArchive({ id: 'mine', name: 'Mine', origin, createdMs: 0 }, modes, null, `${block}\n`);
  expect(await readChainFile(new File([text], 'mine.jsonl'))).toMatchObject({
    kind: 'archive',
    archive: { name: 'Mine', origin, modes, payload: null, lines: [block] },
  });
});

it('says where an account is opened', async () => {
  const file = await readChainFile(new File(['{"encoded":"","encoding":{},"address":""}'], 'mine.json'));
  expect(file).toMatchObject({ kind: 'unknown', why: expect.stringContaining('Add account') });
});
