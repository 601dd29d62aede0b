import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { createTestPlatform, testConfig } from '../../test/rigs/platform.ts';
import vectors from '../../test/vectors/chain.json' with { type: 'json' };
import { bytesToHex } from '../../worker/bytes/hex.ts';
import { createNode } from '../../worker/node.ts';
import { type Ended, runProcess } from '../clients/test-process.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabnode-spec-commands-'));
afterAll(() => rmSync(folder, { recursive: true }));

const runtime = fileURLToPath(
  new URL('../../public/tabnode-runtime.compact.compressed.wasm', import.meta.url),
);
const { blocks, genesisHash } = vectors;

const text = async (ended: Promise<Ended>): Promise<string> => {
  const { code, stdout, stderr } = await ended;
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
};
const fault = async (ended: Promise<Ended>): Promise<unknown> => {
  const { code, stdout, stderr } = await ended;
  expect([code, stdout]).toEqual([1, '']);
  return JSON.parse(stderr);
};

/** Hash and state root of the genesis block. */
const genesisOf = async (specJson: string): Promise<readonly [hash: string, stateRoot: string]> => {
  const node = await createNode(createTestPlatform(), testConfig({ specJson }));
  const { genesisHash: hash, loadHeader } = node.parts.chain;
  const header = await loadHeader(hash);
  await node.close();
  return [hash, bytesToHex(header?.stateRoot ?? new Uint8Array())];
};

it('list-presets prints the presets of a runtime', async () => {
  expect(await text(runProcess('list-presets', '--chain', runtime))).toBe('development\nlocal_testnet\n');
  expect(JSON.parse(await text(runProcess('list-presets', '--json')))).toEqual({
    presets: ['development', 'local_testnet'],
  });
});

it('build-spec, plain and raw, describes the same chain as the preset', async () => {
  const plain = await text(runProcess('build-spec', '--chain', runtime, '--preset', 'local_testnet'));
  expect(JSON.parse(plain)).toMatchObject({
    id: 'local_testnet',
    genesis: {
      runtimeGenesis: { code: bytesToHex(readFileSync(runtime)), patch: { balances: expect.anything() } },
    },
  });
  const raw = await text(runProcess('build-spec', '--chain', 'local_testnet', '--raw'));
  expect(await genesisOf(plain)).toEqual(await genesisOf(raw));
  expect((await genesisOf(raw))[0]).toBe(genesisHash);
  const file = join(folder, 'raw.json');
  const report = runProcess('build-spec', '--chain', 'local_testnet', '--raw', '--output', file);
  expect(JSON.parse(await text(report))).toEqual({ genesisHash });
  expect(readFileSync(file, 'utf8')).toBe(raw);
  const again = runProcess('build-spec', '--json', '--raw', '-o', file);
  expect(await fault(again)).toMatchObject({ code: 'BadConfig', message: expect.stringContaining('--yes') });
  expect(await text(runProcess('build-spec', '--chain', file))).toBe(raw);
}, 60_000);

it('build-spec merges a patch over the preset, and accepts names and properties', async () => {
  const patch = join(folder, 'patch.json');
  // Exceeds Number.MAX_SAFE_INTEGER.
  const amount = '123456789012345678901234';
  const alice = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
  writeFileSync(patch, `{"balances":{"balances":[["${alice}",${amount}]]}}`);
  const spec = await text(
    runProcess(
      ...['build-spec', '--chain', runtime, '--preset', 'development', '--patch', patch],
      ...['--chain-name', 'Mine', '--chain-id', 'mine', '--chain-type', 'staging'],
      ...['--properties', 'tokenSymbol=UNIT,tokenDecimals=12', '--properties', 'isEthereum=false'],
    ),
  );
  expect(JSON.parse(spec)).toMatchObject({
    name: 'Mine',
    id: 'mine',
    chainType: { Custom: 'staging' },
    properties: { tokenSymbol: 'UNIT', tokenDecimals: 12, isEthereum: false },
  });
  expect(spec).toContain(amount);
  const [, stateRoot] = await genesisOf(spec);
  const other = await text(runProcess('build-spec', '--chain', runtime, '--preset', 'development'));
  expect(stateRoot).not.toBe((await genesisOf(other))[1]);
  const raw = runProcess(
    'build-spec',
    '--chain',
    runtime,
    '--preset',
    'development',
    '--patch',
    patch,
    '--raw',
  );
  expect((await genesisOf(await text(raw)))[1]).toBe(stateRoot);
}, 60_000);

it('build-spec merges a patch over a preset by name, and over the patch of a plain specification', async () => {
  const [patch, plain] = [join(folder, 'some.json'), join(folder, 'plain.json')];
  const alice = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
  writeFileSync(patch, `{"balances":{"balances":[["${alice}",123456789012345678901234]]}}`);
  const byRuntime = ['build-spec', '--chain', runtime, '--preset', 'local_testnet', '--patch', patch];
  const byName = ['build-spec', '--chain', 'local_testnet', '--patch', patch];
  await text(runProcess('build-spec', '--chain', 'local_testnet', '--output', plain));
  const [wanted, named, own] = await Promise.all(
    [byRuntime, byName, ['build-spec', '--chain', plain, '--patch', patch]].map((args) =>
      text(runProcess(...args)),
    ),
  );
  expect(await genesisOf(named as string)).toEqual(await genesisOf(wanted as string));
  expect(own).toBe(named);
  expect(JSON.parse(named as string)).toMatchObject({
    name: 'Local Testnet',
    properties: { ss58Format: 42 },
  });
}, 60_000);

const rawSpec = join(folder, 'without-patch.json');
writeFileSync(
  rawSpec,
  '{"name":"Raw","id":"raw","genesis":{"raw":{"top":{"0x3a636f6465":"0x00"},"childrenDefault":{}}}}',
);

it.each([
  [['--patch', 'patch.json'], 'BadConfig', 'patch.json cannot be read'],
  [['--chain', rawSpec, '--patch', 'package.json'], 'BadConfig', '--patch requires as --chain a preset'],
  [['--patch', 'README.md'], 'BadSpec', 'The genesis patch is not JSON'],
  [['--chain', runtime, '--patch', '/none/patch.json'], 'BadConfig', 'cannot be read'],
  [['--chain', runtime, '--preset', 'none'], 'BadSpec', 'it has: development, local_testnet'],
  [['--chain', '/none/spec.json'], 'BadSpec', 'no file of that name can be read'],
  [['--properties', 'tokenSymbol'], 'BadConfig', 'expected name=value'],
  [
    ['--output', '/none/spec.json'],
    'BadConfig',
    '/none/spec.json cannot be written: its folder does not exist',
  ],
  [['--block', 'first'], 'BadConfig', 'neither the hash nor the number'],
])('build-spec %s is refused', async (args, code, message) => {
  expect(await fault(runProcess('build-spec', '--json', ...args))).toMatchObject({
    code,
    message: expect.stringContaining(message),
  });
});

it('export-state writes a specification whose genesis is the state of a block, child tries included', async () => {
  const place = ['--chain', 'local_testnet', '--base-path', join(folder, 'state')] as const;
  const file = join(folder, 'blocks.jsonl');
  writeFileSync(file, blocks.map(({ block }) => JSON.stringify({ block, justifications: null })).join('\n'));
  await text(runProcess('import-blocks', ...place, file));
  const rootAt = (number: number): unknown => blocks[number - 1]?.block.header.stateRoot;
  const best = await text(runProcess('export-state', ...place, '--chain-id', 'fork'));
  const { id, genesis } = JSON.parse(best);
  expect([id, Object.keys(genesis.raw.childrenDefault)]).toEqual(['fork', [expect.stringMatching(/^0x/)]]);
  expect((await genesisOf(best))[1]).toBe(rootAt(64));
  const past = join(folder, 'past.json');
  const report = await text(runProcess('export-state', ...place, '20', '--output', past));
  const keys = Object.keys(JSON.parse(readFileSync(past, 'utf8')).genesis.raw.top).length;
  expect(JSON.parse(report)).toEqual({ number: 20, hash: blocks[19]?.hash, keys: expect.any(Number) });
  expect(JSON.parse(report).keys).toBeGreaterThanOrEqual(keys);
  expect((await genesisOf(readFileSync(past, 'utf8')))[1]).toBe(rootAt(20));
  expect(await text(runProcess('build-spec', ...place, '--block', '20'))).toBe(readFileSync(past, 'utf8'));
  const none = runProcess('export-state', ...place, '65', '--json', '--output', join(folder, 'none.json'));
  expect(await fault(none)).toMatchObject({ code: 'UnknownBlock' });
}, 60_000);

it.skipIf(process.platform !== 'linux')('reports a full disk', async () => {
  const full = ['--output', '/dev/full'];
  expect(await fault(runProcess('build-spec', '--json', ...full))).toMatchObject({
    code: 'StorageQuota',
    message: '/dev/full cannot be written: the disk is full',
  });
});
