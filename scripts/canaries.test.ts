import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { toolEnvironment } from './bootstrap.mjs';

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

/** Each checker must find the fault laid out for it: some were seen to pass silently when set up wrongly. */
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

  it('lint: floating promise, enum, any, default export, console', () => {
    // Below the repository's own biome.json the folder is ignored: a copy of both lies elsewhere.
    const folder = mkdtempSync(join(tmpdir(), 'tabnode-canary-'));
    try {
      mkdirSync(join(folder, 'worker'));
      for (const name of ['biome.json', 'package.json']) cpSync(join(root, name), join(folder, name));
      cpSync(join(canary('lint'), 'fault.ts'), join(folder, 'worker', 'fault.ts'));
      const { code, output } = runTool(folder, 'biome lint --vcs-enabled=false --colors=off worker');
      expect(code).not.toBe(0);
      const rules = ['noFloatingPromises', 'noEnum', 'noExplicitAny', 'noDefaultExport', 'noConsole'];
      for (const rule of rules) expect(output).toContain(rule);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('layers: an upward type import, a page import of the worker, a vendor package outside its folder, a cycle', () => {
    const { code, output } = runTool(
      canary('layers'),
      'depcruise --config ../../../.dependency-cruiser.mjs src worker ui',
    );
    expect(code).not.toBe(0);
    for (const rule of ['layer:worker/bytes', 'layer:ui', 'owner:@noble', 'no-cycles'])
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

  it('size: a file above its limit, and a pattern that finds nothing', () => {
    expect(runTool(canary('size'), 'size-limit').code).not.toBe(0);
    expect(runTool(canary('size-missing'), 'size-limit').code).not.toBe(0);
  });
});
