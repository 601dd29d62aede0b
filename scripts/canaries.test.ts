import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPackageFromTarballData } from '@arethetypeswrong/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toolEnvironment } from './bootstrap.mjs';
import { lintPackage, lintTypes } from './package-lint.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const canary = (name: string): string => join(root, 'scripts', 'canaries', name);

const runTool = (cwd: string, command: string): { readonly code: number | null; readonly output: string } => {
  const { status, stdout, stderr } = spawnSync(command, {
    cwd,
    shell: true,
    encoding: 'utf8',
    env: { ...toolEnvironment(), NO_COLOR: '1', FORCE_COLOR: '0' },
  });
  return { code: status, output: stdout + stderr };
};

const makeFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'tabnode-canary-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
};

/** Each checker must find the fault planted for it, because some pass silently when misconfigured. */
describe('canaries of the checkers', () => {
  it('types: an unchecked index and a page global in the worker', () => {
    const { code, output } = runTool(
      root,
      'node node_modules/@typescript/native/bin/tsc -p scripts/canaries/types',
    );
    expect(code).not.toBe(0);
    expect(output).toContain('TS2322');
    expect(output).toContain("Cannot find name 'document'");
  });

  it('lint: floating promise, enum, any, default export, console; JSON.stringify in a module or the markup of the page', () => {
    // Copied elsewhere, because the repository's own biome.json ignores this folder.
    const folder = makeFolder();
    for (const name of ['worker', 'scripts/checks', 'ui']) mkdirSync(join(folder, name), { recursive: true });
    for (const name of ['biome.json', 'package.json', 'scripts/checks/no-stringify.grit'])
      cpSync(join(root, name), join(folder, name));
    cpSync(join(canary('lint'), 'fault.ts'), join(folder, 'worker', 'fault.ts'));
    const { code, output } = runTool(folder, 'biome lint --vcs-enabled=false --colors=off worker');
    expect(code).not.toBe(0);
    const rules = ['noFloatingPromises', 'noEnum', 'noExplicitAny', 'noDefaultExport', 'noConsole'];
    for (const rule of rules) expect(output).toContain(rule);
    cpSync(join(canary('lint'), 'Fault.svelte'), join(folder, 'ui', 'Fault.svelte'));
    const page = runTool(folder, 'biome lint --vcs-enabled=false --colors=off ui');
    expect(page.code).not.toBe(0);
    for (const line of [3, 6]) expect(page.output).toMatch(new RegExp(`Fault\\.svelte:${line}:\\d+ plugin`));
  });

  it('layers: an upward type import, a page import of the worker, a panel import of another, a vendor package outside its folder, a cycle, a stand-in in the node, a start that loads the origin', () => {
    const { code, output } = runTool(
      canary('layers'),
      'depcruise --config ../../../.dependency-cruiser.mjs src worker ui',
    );
    expect(code).not.toBe(0);
    for (const rule of [
      'layer:worker/bytes',
      'layer:ui:',
      'layer:ui/panels/rpc',
      'owner:@noble/(ciphers|curves)',
      'no-cycles',
      'fixtures',
      ' origin: ',
    ])
      expect(output).toContain(rule);
  });

  it('svelte types: a wrong assignment in a component', () => {
    const { code, output } = runTool(
      root,
      `svelte-check --workspace ${canary('svelte')} --tsconfig ./tsconfig.json`,
    );
    expect(code).not.toBe(0);
    expect(output).toContain('1 error');
  });

  it('dead code: an unused file', () => {
    const { code, output } = runTool(root, `knip --directory ${canary('dead')}`);
    expect(code).not.toBe(0);
    expect(output).toContain('dead.js');
  });

  it('resets: a flag in a module and one in a component that stay set if the write between throws', () => {
    const check = (folder: string) =>
      runTool(canary('resets'), `node ../../checks/check-resets.mjs ${folder}`);
    const { code, output } = check('.');
    expect(code).not.toBe(0);
    expect(output).toContain('fault.ts:8: isSaving, which line 6 sets, is not reset if line 7 throws');
    expect(output).toContain('Fault.svelte:7: busy, which line 5 sets, is not reset if line 6 throws');
    expect(check('nowhere').code).not.toBe(0);
  });

  it('size: a start, a panel and a worker above their budgets, what grew, files that import one another', () => {
    const panels = ['first', 'storage', 'rpc', 'live', 'send', 'runtime', 'node'];
    /** A page with these files besides empty ones, and with what panels load later. */
    const measure = (
      files: Readonly<Record<string, string>>,
      later: Readonly<Record<string, readonly string[]>> = {},
    ) => {
      const folder = makeFolder();
      for (const name of ['assets', '.vite']) mkdirSync(join(folder, name));
      const chunks = ['index', ...panels, ...Object.values(later).flat()].map((name) => ({
        key: name === 'index' ? 'index.html' : name,
        chunk: {
          file: `assets/${name}.js`,
          name,
          dynamicImports: name === 'index' ? panels : (later[name] ?? []),
        },
      }));
      for (const [name, text] of Object.entries({
        'index.html': '<script src="/assets/index.js"></script>',
        '.vite/manifest.json': JSON.stringify(
          Object.fromEntries(chunks.map(({ key, chunk }) => [key, chunk])),
        ),
        ...Object.fromEntries(chunks.map(({ chunk }) => [chunk.file, ''])),
        ...files,
      }))
        writeFileSync(join(folder, name), text);
      return runTool(root, `node scripts/page-size.mjs ${folder}`);
    };
    // Hexadecimal digits compress to half their length.
    const long = (sizeBytes: number) => randomBytes(sizeBytes).toString('hex');
    const fine = measure({});
    expect(fine.code).toBe(0);
    expect(fine.output).not.toContain('warning');

    const start = measure({ 'assets/index.js': long(71_000) });
    expect(start.code).not.toBe(0);
    expect(start.output).toMatch(/before the first paint: .* above its budget/);
    expect(start.output).toContain('warning: before the first paint was');
    const worker = measure({ 'assets/worker-main-x.js': long(301_000) });
    expect(worker.code).not.toBe(0);
    expect(worker.output).toMatch(/worker: .* above its budget/);

    // A panel's budget includes what it loads later, but nothing that another one loads too.
    const dialog = { 'assets/dialog.js': long(61_000) };
    const panel = measure(dialog, { storage: ['dialog'] });
    expect(panel.code).not.toBe(0);
    expect(panel.output).toMatch(/panel storage: .* above its budget/);
    const shared = measure(dialog, { storage: ['dialog'], rpc: ['dialog'] });
    expect(shared.code).toBe(0);
    expect(shared.output).toContain('panel storage: 0.0 kB');

    const circle = measure({ 'assets/b.js': 'import "./c.js"', 'assets/c.js': 'import "./b.js"' });
    expect(circle.code).not.toBe(0);
    expect(circle.output).toContain('b.js > c.js > b.js');

    const waiting = measure({
      'assets/worker-main-x.js': 'import(`./worker-chain-x.js`)',
      'assets/worker-chain-x.js': 'import{a}from"./worker-main-x.js";import{b}from"./worker-helper-x.js"',
      'assets/worker-helper-x.js': '',
    });
    expect(waiting.code).not.toBe(0);
    expect(waiting.output).toContain('imports another file: worker-helper-x.js');
  });

  it('lockfile: a custom host, no integrity, an open range', () => {
    const { code, output } = runTool(root, `node scripts/checks/check-lockfile.mjs ${canary('lockfile')}`);
    expect(code).not.toBe(0);
    expect(output).toContain('node_modules/a: https://registry.example/a-1.0.0.tgz');
    expect(output).toContain('node_modules/a: no integrity');
    expect(output).toContain('a is not pinned (^1.0.0)');
  });

  it('package: an export without a file, types that refer to one', async () => {
    const folder = makeFolder();
    const tarball = join(folder, 'canary.tgz');
    cpSync(canary('package'), join(folder, 'package'), { recursive: true });
    execFileSync('tar', ['-czf', tarball, '-C', folder, 'package']);
    const bytes = new Uint8Array(readFileSync(tarball));
    expect((await lintPackage(bytes)).join()).toContain('FILE_DOES_NOT_EXIST');
    expect((await lintTypes(createPackageFromTarballData(bytes))).join()).toContain(
      'InternalResolutionError',
    );
  });
});
