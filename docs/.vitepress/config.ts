import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DefaultTheme, defineConfig, type MarkdownRenderer } from 'vitepress';

// The site of `npm run docs`. scripts/site puts its pages together in dist/site-source.

const source = '../dist/site-source';

type Rows = Readonly<Record<string, string>>;
const group = (text: string, rows: Rows): DefaultTheme.SidebarItem => ({
  text,
  items: Object.entries(rows).map(([link, label]) => ({ link: `/${link}`, text: label })),
});

const guide: Rows = {
  'first-chain': 'Your first chain',
  dapp: 'A dApp, from zero to a tested one',
  tests: 'Tests',
  fork: 'Forks of live chains',
  chopsticks: 'Coming from chopsticks',
  runtime: "A runtime developer's loop",
  library: 'The library',
  tabs: 'Tabs and pages',
  network: 'A peer in the network',
  bridge: 'Bridge and other programs',
  mcp: 'Tools for agents',
  command: 'The command',
  hosting: 'Hosting',
};

const reference: Rows = {
  rpc: 'JSON-RPC methods',
  'api/': 'API of the package',
  devtools: 'Devtools features',
  'chain-spec': 'Chain specifications',
  security: 'Security',
  bench: 'Benchmarks',
};

const project: Rows = {
  contributing: 'Contributing',
  architecture: 'Architecture',
  'decisions/': 'Decisions',
  changelog: 'Changelog',
};

/** Modules of the package, by the names of their pages. */
const modules = (): Rows =>
  Object.fromEntries(
    readdirSync(fileURLToPath(new URL(`../${source}/api`, import.meta.url)))
      .filter((name) => name !== 'index.md')
      .map((name) => name.replace('.md', ''))
      .sort()
      .map((name) => [`api/${name}`, name.replace('-', '/').replace('testing-', 'testing/')]),
  );

/** The head of a column without a title is an empty cell; as a header, it would be announced without a name. */
const withoutEmptyHeaders = (md: MarkdownRenderer): void => {
  md.core.ruler.push('empty-headers', ({ tokens }) => {
    for (const [at, token] of tokens.entries()) {
      const [inside, end] = [tokens[at + 1], tokens[at + 2]];
      if (token.type !== 'th_open' || inside?.content !== '' || end === undefined) continue;
      token.tag = 'td';
      end.tag = 'td';
    }
  });
};

export default defineConfig({
  title: 'Tabnode',
  description: 'A Polkadot SDK node that runs in a browser tab',
  lang: 'en-US',
  srcDir: source,
  cacheDir: '../node_modules/.cache/vitepress',
  // Otherwise each page has the names of all files as an inline script.
  metaChunk: true,
  router: { prefetchLinks: false },
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: withoutEmptyHeaders,
  },
  vite: {
    publicDir: false,
    logLevel: 'warn',
    // The index of the search and the longest references are large. They load when they are opened.
    build: { target: 'es2022', chunkSizeWarningLimit: 1000 },
  },
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/first-chain', activeMatch: `^/(${Object.keys(guide).join('|')})` },
      { text: 'Methods', link: '/rpc' },
      { text: 'API', link: '/api/' },
      // The devtools are no page of the site.
      { text: 'Open the devtools', link: '/app/index.html', target: '_blank', rel: 'noopener' },
    ],
    sidebar: [
      group('Guide', guide),
      group('Reference', reference),
      group('Modules', modules()),
      group('Project', project),
    ],
    outline: [2, 3],
    search: {
      provider: 'local',
      // Code is searched as plain text: to color it a second time takes a second.
      options: { _render: (text, env, md) => md.render(text.replace(/^```\w+.*$/gm, '```txt'), env) },
    },
  },
});
