// Runs a block of a page in this process: `node run-block.fixture.ts FILE SOURCES [node]`. `SOURCES` says, as JSON, where the
// package's modules are. With `node`, the block finds a node of that name, as its page says. What the block leaves open ends here.
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const [file = '', sources = '{}', given] = process.argv.slice(2);
const places = JSON.parse(sources) as Readonly<Record<string, string>>;
registerHooks({
  resolve: (name, context, next) => {
    const place = places[name];
    return next(place === undefined ? name : pathToFileURL(place).href, context);
  },
});
if (given === 'node') {
  const { startNode } = await import('../../src/index.ts');
  Object.assign(globalThis, { node: await startNode() });
}
await import(pathToFileURL(file).href);
process.exit();
