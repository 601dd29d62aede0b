import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { SiteConfig } from 'vitepress';
import { listModules, pageNameOf } from './modules.ts';
import { listPages, withSiteLinks } from './pages.ts';
import { addPolicies, hostHeaders } from './policy.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const source = join(root, 'dist/site-source');
const api = join(source, 'api');

export type SiteOptions = {
  /** Where the site is on its host, with a slash at both ends. */
  readonly base: string;
  /** Where the repository's files are shown; without it, links to them are plain text. */
  readonly repository: string | undefined;
  readonly outDir: string;
};

/** Puts all pages in one folder, with the links that they have there. Those of the API are still empty. */
const gatherPages = (repository: string | undefined): void => {
  rmSync(source, { recursive: true, force: true });
  const pages = listPages(root);
  for (const [from, to] of pages) {
    const file = join(source, to);
    mkdirSync(dirname(file), { recursive: true });
    const text = readFileSync(join(root, from), 'utf8');
    writeFileSync(file, withSiteLinks(text, from, { root, pages, repository }));
  }
  cpSync(join(root, 'docs/screenshots'), join(source, 'screenshots'), { recursive: true });
  mkdirSync(api);
  for (const name of ['index', ...[...listModules(root).keys()].map(pageNameOf)])
    writeFileSync(join(api, `${name}.md`), '');
};

/** Writes the pages of the API in a thread, which takes half as long as all that VitePress does. */
const startApi = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const workerData = { root, folder: api };
    const thread = new Worker(new URL('./api-thread.ts', import.meta.url), { workerData });
    thread.on('message', () => resolve());
    thread.on('error', reject);
    thread.on('exit', () => reject(new Error('typedoc ended before the reference of the API was written')));
  });

type SitePlugin = NonNullable<NonNullable<SiteConfig['vite']>['plugins']>[number];

/** What reads pages of the API waits for them: the pages themselves, and the index of the search. */
const withApi = (written: Promise<void>): SitePlugin => ({
  name: 'tabnode:api',
  enforce: 'pre',
  async load(id, { ssr = false } = {}) {
    const isIndex = id === '/@localSearchIndex';
    // Pages are rendered without the search, whose index is made for the browser only.
    if (isIndex && ssr) return 'export default {}';
    // The build adds to the text of an error; that of the thread is reported as it is.
    if (isIndex || id.startsWith(`${api}/`))
      await written.catch(() => {
        throw new Error('The reference of the API was not written');
      });
    return null;
  },
});

/** VitePress is loaded while the pages of the API are written. */
const buildPages = async (base: string, outDir: string, written: Promise<void>): Promise<void> => {
  const { build } = await import('vitepress');
  await build(join(root, 'docs'), {
    base,
    outDir,
    onAfterConfigResolve: (config) => {
      config.vite = { ...config.vite, plugins: [...(config.vite?.plugins ?? []), withApi(written)] };
    },
  });
};

/** Builds the guide, the references and the decisions as one site. Rejects if a link leads nowhere. */
export const buildSite = async ({ base, repository, outDir }: SiteOptions): Promise<void> => {
  gatherPages(repository);
  const written = startApi();
  await Promise.all([written, buildPages(base, outDir, written)]);
  addPolicies(outDir);
  cpSync(join(root, 'docs/openrpc.json'), join(outDir, 'openrpc.json'));
  writeFileSync(join(outDir, '_headers'), hostHeaders(base));
  // A host that runs Jekyll would leave out files that begin with an underscore.
  writeFileSync(join(outDir, '.nojekyll'), '');
};
