/** The names of a build's files; `prefix` tells a worker's from the page's. */
export const chunkNames = (prefix: string) => ({
  entryFileNames: `assets/${prefix}[name]-[hash].js`,
  chunkFileNames: `assets/${prefix}[name]-[hash].js`,
  assetFileNames: 'assets/[name]-[hash][extname]',
});

/** One file each. The first-steps card is also the top bar's and the palette's. */
const panels = ['chain(?!/first-steps)', 'storage', 'rpc', 'live', 'send', 'runtime', 'node'];
/** What some panels and dialogs share, one file each. */
const parts = {
  menu: /ui\/app\/chains\//,
  form: /ui\/(values\/call\/|node\/client\/method-info)|protocol\/rpc\/(docs\/|params\/schemas)/,
  signing: /ui\/node\/tx\//,
};

const isApart = (id: string): boolean =>
  new RegExp(`ui/panels/(${panels.join('|')})/`).test(id) ||
  Object.values(parts).some((part) => part.test(id));

/**
 * Code that the page needs before anything is shown is one file, because browsers request six files at a time and the
 * worker's script would have to wait. The client with the Chain panel's first view is another, each panel one more with its
 * pages and dialogs, and what all of them share is one. Everything else is split where it is imported.
 */
export const appChunks = () => ({
  ...chunkNames(''),
  codeSplitting: {
    groups: [
      // Svelte's constants include an error, and V8 parses a script again to record where in it an error was created.
      { name: 'constants', test: /svelte\/src\/internal\/client\/constants\.js$/, priority: 6 },
      { name: 'shell', tags: ['$initial' as const], priority: 5 },
      {
        name: 'first',
        test: /ui\/(panels\/chain\/ChainPanel\.svelte|node\/(client\/open-node|session\/find-chains)\.ts)$/,
        priority: 4,
      },
      { name: 'shared', minShareCount: 2, test: (id: string) => !isApart(id), priority: 3 },
      ...Object.entries(parts).map(([name, test]) => ({ name, test, priority: 2 })),
      ...panels.map((folder) => ({
        name: folder.replace(/\W.*/, ''),
        test: new RegExp(`ui/panels/${folder}/`),
        priority: 1,
      })),
    ],
  },
});
