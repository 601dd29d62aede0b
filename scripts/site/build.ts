import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vitepress';
import { writeApi } from './api.ts';
import { listPages, withSiteLinks } from './pages.ts';
import { addPolicies, hostHeaders } from './policy.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const source = join(root, 'dist/site-source');

export type SiteOptions = {
  /** Where the site is on its host, with a slash at both ends. */
  readonly base: string;
  /** Where the repository's files are shown; without it, links to them are plain text. */
  readonly repository: string | undefined;
  readonly outDir: string;
};

/** Puts all pages in one folder, with the links that they have there. */
const gatherPages = async (repository: string | undefined): Promise<void> => {
  rmSync(source, { recursive: true, force: true });
  const pages = listPages(root);
  for (const [from, to] of pages) {
    const file = join(source, to);
    mkdirSync(dirname(file), { recursive: true });
    const text = readFileSync(join(root, from), 'utf8');
    writeFileSync(file, withSiteLinks(text, from, { root, pages, repository }));
  }
  cpSync(join(root, 'docs/screenshots'), join(source, 'screenshots'), { recursive: true });
  await writeApi(root, join(source, 'api'));
};

/** Builds the guide, the references and the decisions as one site. Rejects if a link leads nowhere. */
export const buildSite = async ({ base, repository, outDir }: SiteOptions): Promise<void> => {
  await gatherPages(repository);
  await build(join(root, 'docs'), { base, outDir });
  addPolicies(outDir);
  cpSync(join(root, 'docs/openrpc.json'), join(outDir, 'openrpc.json'));
  writeFileSync(join(outDir, '_headers'), hostHeaders(base));
  // A host that runs Jekyll would leave out files that begin with an underscore.
  writeFileSync(join(outDir, '.nojekyll'), '');
};
