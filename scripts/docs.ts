// `npm run docs`: writes docs/openrpc.json and docs/rpc.md from the method table.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createOpenRpc } from './openrpc.ts';
import { createRpcPage } from './rpc-page.ts';

const root = new URL('../', import.meta.url);

/** Every generated page by its path, with the text it should have. */
export const createDocs = (): ReadonlyMap<string, string> => {
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string };
  return new Map([
    ['docs/openrpc.json', `${JSON.stringify(createOpenRpc(version), null, 1)}\n`],
    ['docs/rpc.md', createRpcPage()],
  ]);
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of createDocs()) {
    writeFileSync(new URL(path, root), text);
    console.log(path);
  }
}
