import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const types: Readonly<Record<string, { readonly types: string } | string>> = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
).exports;

/** The source of each of the package's modules: `./papi` → `src/providers/papi.ts`. */
const paths = Object.entries(types).flatMap(([name, entry]) =>
  typeof entry === 'string'
    ? []
    : [
        [
          name.replace('.', 'tabnode'),
          [join(root, entry.types.replace('./dist/types/', '').replace('.d.ts', '.ts'))],
        ],
      ],
);

// Declarations that the examples leave out.
const given = `declare const node: import('tabnode').TabNode;
declare const element: HTMLElement;`;

it.each(['README.md', 'docs/tabs.md', 'docs/fork.md'])(
  'the examples of %s are correct TypeScript',
  (file) => {
    const readme = readFileSync(join(root, file), 'utf8');
    const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code as string);
    expect(examples.length).toBeGreaterThan(0);
    const cache = join(root, 'node_modules', '.cache');
    mkdirSync(cache, { recursive: true });
    const folder = mkdtempSync(join(cache, 'readme-'));
    try {
      const config = {
        extends: '../../../tsconfig.json',
        compilerOptions: {
          lib: ['es2024', 'dom', 'dom.iterable'],
          noUnusedLocals: false,
          paths: Object.fromEntries(paths),
        },
        include: ['.'],
      };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
      writeFileSync(join(folder, 'given.d.ts'), given);
      for (const [index, code] of examples.entries())
        writeFileSync(join(folder, `example-${index}.ts`), `${code}\nexport {};\n`);
      const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');
      const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
      expect(stdout).toBe('');
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
