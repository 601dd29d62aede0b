import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fixturePath, hasFixtures, loadFixtureLines, loadFixtureText } from '../../test/rigs/fixtures.ts';
import { runProcess, startServe } from '../clients/test-process.fixture.ts';

describe.skipIf(!hasFixtures)('tabnode import-blocks, the chain of a native node (shared fixtures)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabnode-import-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const spec = ['--chain', fixturePath('sdk-node/spec.json')] as const;
  const write = (name: string, lines: readonly string[]): string => {
    const path = join(folder, name);
    writeFileSync(path, `${lines.join('\n')}\n`);
    return path;
  };
  const readLines = async (): Promise<string[]> =>
    (await loadFixtureText('sdk-node/blocks.jsonl')).trimEnd().split('\n');
  const hashAt = async (number: number): Promise<string> => {
    const blocks = await loadFixtureLines<{ block: { header: { parentHash: string } } }>(
      'sdk-node/blocks.jsonl',
    );
    return (blocks[number] as (typeof blocks)[number]).block.header.parentHash;
  };

  it('executes every block and compares its roots', async () => {
    const file = fixturePath('sdk-node/blocks.jsonl');
    const { code, stdout, stderr } = await runProcess('import-blocks', ...spec, '--tmp', '--json', file);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual({
      imported: 63,
      known: 0,
      bestNumber: 63,
      bestHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      ms: expect.any(Number),
    });
  });

  it('imports a file of export-blocks, and refuses one of another chain', async () => {
    const kept = [...spec, '--base-path', join(folder, 'exported')] as const;
    const twice = join(folder, 'exported.jsonl');
    await runProcess('import-blocks', ...kept, fixturePath('sdk-node/blocks.jsonl'));
    const written = await runProcess('export-blocks', ...kept, twice);
    expect([written.code, written.stderr]).toEqual([0, '']);
    expect(JSON.parse(written.stdout)).toMatchObject({ exported: 63, bestNumber: 63 });
    const before = statSync(twice).ino;
    const replaced = await runProcess('export-blocks', ...kept, twice, '-y');
    expect([replaced.code, replaced.stdout]).toEqual([0, written.stdout]);
    expect(statSync(twice).ino).not.toBe(before);
    expect(readdirSync(folder).filter((name) => name.startsWith('exported.jsonl'))).toEqual([
      'exported.jsonl',
    ]);
    const again = await runProcess('import-blocks', ...spec, '--tmp', '--json', twice);
    expect([again.code, again.stderr]).toEqual([0, '']);
    const { bestHash } = JSON.parse(written.stdout) as { bestHash: string };
    expect(JSON.parse(again.stdout)).toMatchObject({ imported: 63, bestHash });
    const other = await runProcess('import-blocks', '--dev', '--json', twice);
    expect(other.code).toBe(1);
    expect(JSON.parse(other.stderr)).toMatchObject({ message: expect.stringContaining('another chain') });
  });

  it('stops at a block with a wrong root and keeps those before it', async () => {
    const lines = (await readLines()).slice(0, 8);
    lines[5] = (lines[5] as string).replace(/"stateRoot":"0x../, '"stateRoot":"0x00');
    const args = [...spec, '--base-path', join(folder, 'kept')] as const;
    const { code, stderr } = await runProcess(
      'import-blocks',
      ...args,
      '--json',
      write('bad-root.jsonl', lines),
    );
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({
      event: 'error',
      message: expect.stringContaining('Block #6 (line 6)'),
    });
    const node = await startServe(...args, '--seal', 'manual');
    node.kill('SIGTERM');
    await node.ended;
    expect(node.ready.bestNumber).toBe(5);
    const rest = await runProcess(
      'import-blocks',
      ...args,
      '--json',
      write('rest.jsonl', (await readLines()).slice(5, 7)),
    );
    expect(JSON.parse(rest.stdout)).toMatchObject({ imported: 2, bestNumber: 7, bestHash: await hashAt(7) });
  });

  it.each([32, 33, 34])(
    'names block %i as the first one refused, whichever message it is in',
    async (number) => {
      const lines = await readLines();
      lines[number - 1] = (lines[number - 1] as string).replace(/"stateRoot":"0x../, '"stateRoot":"0x00');
      const { code, stderr } = await runProcess(
        'import-blocks',
        ...spec,
        '--tmp',
        '--json',
        write('late.jsonl', lines),
      );
      expect(code).toBe(1);
      expect(JSON.parse(stderr)).toMatchObject({
        code: 'BadSeal',
        message: expect.stringMatching(
          new RegExp(
            `^Block #${number} \\(line ${number}\\): .*before it: ${number - 1} imported, 0 already known`,
          ),
        ),
      });
    },
  );

  it.each([
    ['text', 'BadBlock: Line 1: Not JSON'],
    ['{"block":{"header":{}}}', 'BadBlock: Line 1: '],
  ])('refuses a line %s', async (line, text) => {
    const ended = await runProcess('import-blocks', ...spec, '--tmp', write('bad-line.jsonl', [line]));
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(text);
  });

  it('reports where a truncated file ends and how many blocks were imported, then how many were known', async () => {
    const lines = (await readLines()).slice(0, 6);
    const place = [...spec, '--base-path', join(folder, 'cut'), '--json'] as const;
    const cut = write('cut.jsonl', [...lines.slice(0, 4), (lines[4] as string).slice(0, 100)]);
    const stopped = await runProcess('import-blocks', ...place, cut);
    expect(stopped.code).toBe(1);
    expect(JSON.parse(stopped.stderr)).toMatchObject({
      code: 'BadBlock',
      message: 'Line 5: Not JSON (blocks before it: 4 imported, 0 already known)',
    });
    const whole = write('whole.jsonl', lines);
    const rest = await runProcess('import-blocks', ...place, whole);
    expect(JSON.parse(rest.stdout)).toMatchObject({ imported: 2, known: 4, bestNumber: 6 });
    const again = await runProcess('import-blocks', ...place, whole);
    expect(JSON.parse(again.stdout)).toMatchObject({ imported: 0, known: 6, bestNumber: 6 });
  });
});
