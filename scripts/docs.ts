// `npm run docs`: everything. Writes the generated pages of docs/, and builds the site into dist/site: the guide, the
// references, the decisions, and the devtools below app/.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createOpenRpc } from './docs/openrpc.ts';
import { createRpcPage } from './docs/rpc-page.ts';
import { updateSecurityPage } from './docs/security-tables.ts';

const root = new URL('../', import.meta.url);

const help = `Usage: npm run docs -- [methods | site] [--base PATH] [--repository URL] [--out FOLDER]

  methods           only docs/rpc.md, docs/openrpc.json and the tables of docs/security.md, from the code
  site              only the site, without the devtools
  --base PATH       where the site will be on its host, such as /tabnode/ (default: /)
  --repository URL  where the repository's files are shown, for links to them; without it they are plain text
  --out FOLDER      where the site is written (default: dist/site)`;

/** Every generated page by its path, with the text it should have. */
export const createDocs = (): ReadonlyMap<string, string> => {
  const security = readFileSync(new URL('docs/security.md', root), 'utf8');
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string };
  return new Map([
    ['docs/openrpc.json', `${JSON.stringify(createOpenRpc(version), null, 1)}\n`],
    ['docs/rpc.md', createRpcPage()],
    ['docs/security.md', updateSecurityPage(security)],
  ]);
};

const writeMethods = (): void => {
  for (const [path, text] of createDocs()) {
    writeFileSync(new URL(path, root), text);
    console.log(path);
  }
};

/** The built devtools work in any folder. */
const addDevtools = async (outDir: string): Promise<void> => {
  const { buildKey, isBuilt } = await import('./vite/build-key.ts');
  const app = fileURLToPath(new URL('dist/app', root));
  if (!isBuilt(app, buildKey())) {
    const { build } = await import('./build.mjs');
    if ((await build(['app'])) !== 0) throw new Error('The devtools could not be built');
  }
  rmSync(`${outDir}/app`, { recursive: true, force: true });
  cpSync(app, `${outDir}/app`, { recursive: true });
};

const run = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      base: { type: 'string', default: '/' },
      repository: { type: 'string' },
      out: { type: 'string', default: fileURLToPath(new URL('dist/site', root)) },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const [part, ...rest] = positionals;
  if (values.help === true) return console.log(help);
  if (rest.length > 0 || !['methods', 'site', undefined].includes(part))
    throw new Error(
      `There is no part "${positionals.join(' ')}" of the documents; see npm run docs -- --help`,
    );
  if (!/^\/(.*\/)?$/.test(values.base))
    throw new Error(
      `--base: expected a path with a slash at both ends, such as /tabnode/, not ${values.base}`,
    );
  if (part !== 'site') writeMethods();
  if (part === 'methods') return;
  const { buildSite } = await import('./site/build.ts');
  await buildSite({ base: values.base, repository: values.repository, outDir: values.out });
  if (part !== 'site') await addDevtools(values.out);
  console.log(`The site is in ${values.out}`);
};

if (process.argv[1] === fileURLToPath(import.meta.url))
  await run().catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
