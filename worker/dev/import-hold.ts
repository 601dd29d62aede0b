import type { Author } from '../author/author.ts';
import type { EndHold } from '../author/holds.ts';
import type { ImportCounts } from './import-chain.ts';

/** After this time without a request, a client that announced more text has given up. */
const importSilenceMs = 5000;

/**
 * Imports the text of a chain file. If `more` of it follows, the node seals no blocks until that was imported, or the client has
 * been silent for `importSilenceMs`. `client` identifies the client; imports of several do not end each other's holds.
 */
export type ImportChain = (text: string, more: boolean, client: object) => Promise<ImportCounts>;

/** If a client's import continues, the hold lasts until its next request. */
export const holdingBlocks = (
  { hold }: Pick<Author, 'hold'>,
  importText: (text: string) => Promise<ImportCounts>,
): ImportChain => {
  /** The holds of clients that announced more text. */
  const waiting = new WeakMap<object, EndHold>();
  return async (text, more, client) => {
    const end = hold();
    waiting.get(client)?.(0);
    waiting.delete(client);
    let heldMs = 0;
    try {
      const imported = await importText(text);
      if (more) {
        heldMs = importSilenceMs;
        waiting.set(client, end);
      }
      return imported;
    } finally {
      end(heldMs);
    }
  };
};
