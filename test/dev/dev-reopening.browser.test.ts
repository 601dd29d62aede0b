import { it } from 'vitest';
import { openIdbDatabase } from '../../worker/db/idb.ts';
import { devReopening } from './dev-reopening.ts';

let names = 0;

// Node.js has no IndexedDB; test/dev/dev-reopening.test.ts runs the same tests over files.
if ('document' in globalThis)
  devReopening('IndexedDB', () => {
    const name = `tabnode-reopening-${names++}`;
    return { open: () => openIdbDatabase(name) };
  });
else it.skip('IndexedDB', () => undefined);
