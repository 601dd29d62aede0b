import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import type { TabNode } from '../start.ts';
import { prepareNode, toNodeOptions, updatePack } from './fork-fixture.ts';

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

it('writes what was read into the file of the pack, without what tests declared, if it is asked to', async () => {
  const calls: string[] = [];
  const rpc = {
    dev_reset: async () => void calls.push('reset'),
    dev_exportFork: async () => {
      calls.push('export');
      return '0x0102';
    },
  };
  const update = (fork: object) => updatePack({ fork } as never, { rpc } as never);
  const own = join(folder, 'own.pack');
  writeFileSync(own, 'bytes');
  await update({ pack: own });
  expect(calls).toEqual([]);
  vi.stubEnv('TABNODE_UPDATE_PACKS', '1');
  onTestFinished(() => void vi.unstubAllEnvs());
  await update({ pack });
  await update({ endpoint: 'ws://a' });
  expect(calls).toEqual([]);
  await update({ pack: pathToFileURL(own), endpoints: ['ws://a'] });
  expect(calls).toEqual(['reset', 'export']);
  expect([...readFileSync(own)]).toEqual([1, 2]);
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
