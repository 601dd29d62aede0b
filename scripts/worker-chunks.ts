import type { Plugin } from 'vite';

/** What the worker's first script has itself, so that it waits for no other. */
const firstOfWorker = /worker\/(main|early|crypto\/core-module)\.ts$|src\/protocol\/errors\.ts$|\/comlink\//;
/** What few chains ever need: repair, and development by names of the metadata. */
const lateInWorker =
  /worker\/(repair|chain\/(repair|survey|check-state)|db\/salvage|dev\/(chain-file|decode|dry-run|encode|fund|given|given-variant|metadata|named-state|read-storage|storage-names|transaction|types))\.ts$/;
const rpcOfWorker = /worker\/rpc\/|src\/protocol\/(rpc\/|custom\.ts$)/;

/**
 * The worker in four files: one that begins what is fetched, the chain, the method table with its handlers, and what is
 * rarely used. More would come in turns, and pack worse.
 */
export const workerChunks = {
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [
      { name: 'late', test: lateInWorker, priority: 3 },
      { name: 'rpc', test: rpcOfWorker, priority: 2 },
      { name: 'chain', test: (id: string) => !firstOfWorker.test(id), priority: 1 },
    ],
  },
};

/**
 * The bundler keeps one function of its own in a file, for which a worker would wait once more: it is written into the
 * files that import it.
 */
export const withHelperInside: Plugin = {
  name: 'tabnode:helper-inside',
  enforce: 'post',
  generateBundle: (_options, bundle) => {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
    const helper = chunks.find(({ name }) => name === 'rolldown-runtime');
    if (helper === undefined) return;
    const [, body = '', given = '', exported = ''] =
      /^(.*)export\s*\{\s*(\w+)(?:\s+as\s+(\w+))?\s*\};?\s*$/s.exec(helper.code) ?? [];
    const imports = /import\s*\{\s*(\w+)(?:\s+as\s+(\w+))?\s*\}\s*from\s*["']\.\/([^"']+)["'];?/g;
    for (const chunk of chunks) {
      if (!chunk.imports.includes(helper.fileName)) continue;
      chunk.code = chunk.code.replace(imports, (whole, name, local = name, from) => {
        if (!helper.fileName.endsWith(from)) return whole;
        if (name !== (exported || given)) throw new Error('the helper of the bundler has another form');
        return `const ${local}=(()=>{${body};return ${given}})();`;
      });
      chunk.imports = chunk.imports.filter((name) => name !== helper.fileName);
    }
    delete bundle[helper.fileName];
  },
};
