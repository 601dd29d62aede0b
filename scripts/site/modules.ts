import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Entry = { readonly types: string } | string;

/** The source of each of the package's modules, by the name under which it is imported. */
export const listModules = (root: string): ReadonlyMap<string, string> => {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, Entry>>;
  };
  return new Map(
    Object.entries(exports).flatMap(([name, entry]) =>
      typeof entry === 'string'
        ? []
        : [
            [
              name.replace('.', 'tabnode'),
              entry.types.replace('./dist/types/', '').replace('.d.ts', '.ts'),
            ] as const,
          ],
    ),
  );
};

/** `tabnode/testing/vitest` → `tabnode-testing-vitest`, the name of its page. */
export const pageNameOf = (module: string): string => module.replaceAll('/', '-');
