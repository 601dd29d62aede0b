import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import type { TabNode } from '../start.ts';
import { prepareNode, toNodeOptions } from './fork-fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabnode-fixture-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'mine.pack');
writeFileSync(file, 'bytes');
const pack = new TextEncoder().encode('bytes');

it.each([
  ['a path', file],
  ['a URL', pathToFileURL(file)],
])('reads the pack at %s, beside its other options', async (_what, at) => {
  const read = await toNodeOptions({ fork: { pack: at, endpoints: ['ws://a'] }, seal: 'manual' });
  expect(read).toEqual({ fork: { pack, endpoints: ['ws://a'] }, seal: 'manual' });
});

it('leaves everything else to startNode', async () => {
  for (const options of [
    {},
    { seal: 'manual' },
    { fork: { pack } },
    { fork: { endpoint: 'ws://a' } },
  ] as const)
    expect(await toNodeOptions(options)).toEqual(options);
});

it('names the pack that cannot be read, and how one is written', async () => {
  await expect(toNodeOptions({ fork: { pack: join(folder, 'none.pack') } })).rejects.toMatchObject({
    code: 'BadConfig',
    message: expect.stringMatching(/none\.pack cannot be read\. Write it with: tabnode fork .* --save FILE$/),
  });
});

it('stops a node that cannot be prepared', async () => {
  const called: string[] = [];
  const node = {
    snapshot: async () => void called.push('snapshot'),
    stop: async () => void called.push('stop'),
  } as unknown as TabNode;
  const fail = () => Promise.reject(new Error('no such account'));
  await expect(prepareNode(node, fail)).rejects.toThrow('no such account');
  expect(called).toEqual(['stop']);
  expect(await prepareNode(node, async () => void called.push('prepare'))).toBe(node);
  expect(called).toEqual(['stop', 'prepare', 'snapshot']);
});
