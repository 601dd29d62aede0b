// `npm run docs`: writes docs/openrpc.json, docs/rpc.md and the tables of docs/security.md from the code.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createOpenRpc } from './docs/openrpc.ts';
import { createRpcPage } from './docs/rpc-page.ts';
import { updateSecurityPage } from './docs/security-tables.ts';

const root = new URL('../', import.meta.url);

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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of createDocs()) {
    writeFileSync(new URL(path, root), text);
    console.log(path);
  }
}
