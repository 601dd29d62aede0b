/** The names of a build's files; `prefix` tells a worker's from the page's. */
export const chunkNames = (prefix: string) => ({
  entryFileNames: `assets/${prefix}[name]-[hash].js`,
  chunkFileNames: `assets/${prefix}[name]-[hash].js`,
  assetFileNames: 'assets/[name]-[hash][extname]',
});

/** Code that several panels share. Its default name would list all of them. */
const sharedName = (pattern: string, name = ''): string =>
  name.startsWith('shared~') ? pattern.replace('[name]', 'shared') : pattern;

const isStyle = (id: string): boolean => /\.css$|type=style/.test(id);
/** Parts with a budget of their own (scripts/page-size.mjs), which most pages never load. */
const isApart = (id: string): boolean =>
  /ui\/(app\/bridge|agents|panels\/chain\/pair)\/|ui\/app\/shell\/Remote\.svelte/.test(id);
/** Folders whose pages and dialogs are one file: larger files compress better. */
const files = {
  chain: 'panels/chain(?!/pair)',
  rpc: 'panels/(?:rpc|send|live|node)',
  state: 'panels/(?:storage|runtime)|app/(?:chains|palette|shell(?=/(?:Repair|Shortcuts)))',
};

/**
 * Code that the page needs before anything is shown is one file, because browsers request six files at a time
 * and the worker's script would have to wait. The rest of the first view, the client and the Chain panel, is
 * another file. All other styles are one file, and code that several panels share is in a few files, because
 * small files compress badly (docs/decisions/0041). The folders below all panels are one of them, and with
 * other thresholds they import one another (`page-size.mjs` fails then).
 */
export const appChunks = () => {
  const { chunkFileNames, assetFileNames, ...names } = chunkNames('');
  return {
    ...names,
    chunkFileNames: ({ name }: { name: string }) => sharedName(chunkFileNames, name),
    assetFileNames: ({ names: [name] }: { names: readonly string[] }) => sharedName(assetFileNames, name),
    codeSplitting: {
      groups: [
        { name: 'shell', tags: ['$initial' as const], priority: 2 },
        { name: 'style', test: (id: string) => isStyle(id) && !isApart(id), priority: 1.5 },
        {
          name: 'first',
          test: /ui\/(panels\/chain\/ChainPanel\.svelte|node\/(client\/open-node|session\/find-chains)\.ts)$/,
          priority: 1,
        },
        {
          name: 'parts',
          test: /ui\/(scale|kit|node(?!\/(tx|session))|values(?!\/call))\//,
          minShareCount: 2,
          priority: 1,
        },
        ...Object.entries(files).map(([name, of]) => ({
          name,
          test: new RegExp(`ui/(${of})/`),
          priority: 0.5,
        })),
        { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 40_000 },
      ],
    },
  };
};
