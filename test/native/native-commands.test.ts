import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProcess } from '../../bridge/clients/test-process.fixture.ts';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import { fixturePath, loadFixtureText } from '../rigs/fixtures.ts';
import { hasNativeNode, type NativeNode, unpackNativeNode } from './native-rig.ts';

describe.skipIf(!hasNativeNode)(
  'our commands compared with those of a native node (shared native-node)',
  () => {
    let native: NativeNode;
    let runtime: string;
    const spec = fixturePath('sdk-node/spec.json');
    beforeAll(async () => {
      native = await unpackNativeNode();
      const { raw } = (JSON.parse(await loadFixtureText('sdk-node/spec.json')) as Spec).genesis;
      runtime = native.write('runtime.wasm', hexToBytes(raw.top['0x3a636f6465'] as string));
    }, 60_000);
    afterAll(() => native.close());

    type Spec = { genesis: { raw: { top: Record<string, string> } } };

    const ours = async (...args: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await runProcess(...args);
      expect([code, stderr]).toEqual([0, '']);
      return stdout;
    };
    const at = (name: string): readonly string[] => [
      '--chain',
      spec,
      '--base-path',
      join(native.folder, name),
    ];
    const infoOf = (text: string): { best_number: number; best_hash: string; genesis_hash: string } =>
      JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
    const theirGenesis = async (...place: readonly string[]): Promise<string> => {
      // The native chain-info does not write block 0; every other command does.
      await native.command('import-blocks', ...place, native.write('empty', ''));
      return (await theirInfo(...place)).genesis_hash;
    };
    const theirInfo = async (...place: readonly string[]) =>
      infoOf(await native.command('chain-info', ...place));

    /** In JSON, the native node concatenates the values without line breaks. */
    const linesOff = (text: string): string => text.replaceAll('\n', '');

    it('blocks can be exchanged in both directions and both forms', async () => {
      await ours('import-blocks', ...at('ours'), fixturePath('sdk-node/blocks.bin'));
      const { best_hash: best } = infoOf(await ours('chain-info', ...at('ours')));
      for (const flags of [[], ['--binary']]) {
        const name = `blocks${flags.join('')}`;
        const file = join(native.folder, `${name}.file`);
        await ours('export-blocks', ...at('ours'), ...flags, file);
        const log = await native.command('import-blocks', ...at(name), ...flags, file);
        expect(log).toContain('Imported 63 blocks');
        const back = `${file}-back`;
        await native.command('export-blocks', ...at(name), ...flags, back);
        const [mine, theirs] = [readFileSync(file, 'latin1'), readFileSync(back, 'latin1')];
        if (flags.length > 0) expect(mine === theirs).toBe(true);
        else expect(linesOff(mine) === theirs).toBe(true);
      }
      expect(await theirInfo(...at('blocks'))).toMatchObject({ best_number: 63, best_hash: best });
      const back = join(native.folder, 'blocks.file-back');
      const imported = JSON.parse(await ours('import-blocks', '--json', ...at('blocks-ours'), back));
      expect(imported).toMatchObject({ imported: 63, known: 0, bestHash: best });
    }, 180_000);

    it('a range has the same bytes', async () => {
      const [mine, theirs] = [join(native.folder, 'mine'), join(native.folder, 'theirs')];
      const range = ['--from', '3', '--to', '9'];
      await ours('export-blocks', ...at('ours'), ...range, mine);
      await native.command('export-blocks', ...at('blocks'), ...range, theirs);
      expect(linesOff(readFileSync(mine, 'latin1'))).toBe(readFileSync(theirs, 'latin1'));
    }, 60_000);

    it('specifications built from a runtime and a preset are equal in text and genesis hash', async () => {
      const properties = ['--properties', 'ss58Format=42,tokenDecimals=12,tokenSymbol=UNIT'];
      const made = ['--preset', 'development'];
      const raw = await ours(
        ...['build-spec', '--chain', runtime, ...made, ...properties],
        ...['--raw', '--chain-name', 'Development', '--chain-id', 'dev'],
      );
      const theirs = await native.command('build-spec', '--runtime', runtime, ...made, '--raw');
      type Json = { genesis: unknown };
      const { genesis, ...names } = JSON.parse(theirs) as Json;
      const found = JSON.parse(raw) as Json;
      expect(JSON.stringify(found.genesis)).toBe(JSON.stringify(genesis));
      expect(names).toMatchObject({ name: 'Development', id: 'dev' });
      const fixture = JSON.parse(await loadFixtureText('sdk-node/spec.json')) as Json;
      expect(JSON.stringify(found.genesis)).toBe(JSON.stringify(fixture.genesis));

      const plain = await ours('build-spec', '--chain', runtime, ...made, ...properties);
      const hashes = new Set<string>();
      for (const [name, text] of Object.entries({ raw, plain })) {
        const place = [
          '--chain',
          native.write(`${name}.json`, text),
          '--base-path',
          join(native.folder, name),
        ];
        hashes.add(await theirGenesis(...place));
      }
      hashes.add((await theirInfo(...at('blocks'))).genesis_hash);
      hashes.add(infoOf(await ours('chain-info', ...at('ours'))).genesis_hash);
      expect(hashes.size).toBe(1);
    }, 120_000);

    it('the exported state of a block has the same bytes', async () => {
      const mine = await ours('export-state', ...at('ours'), '40');
      const theirs = await native.command('export-state', ...at('blocks'), '40');
      // The native node's log follows the specification.
      const start = theirs.indexOf('{\n');
      expect(mine.trimEnd() === theirs.slice(start, theirs.lastIndexOf('\n}') + 2)).toBe(true);
    }, 120_000);
  },
);
