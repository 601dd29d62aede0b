import type { UiNode } from '../client/ui-node.ts';
import type { ChainBook } from './chain-book.svelte.ts';

const setters: ReadonlySet<string> = new Set(['dev_setSealMode', 'dev_setFinality']);

/**
 * The node, of which every status stores the modes of the chain for its next start, whichever client has set them. Unless
 * `isHeld`: during an import, the seal mode is not the user's. A chain that another tab has deleted has no modes.
 */
export const rememberModes = (book: ChainBook, id: string, node: UiNode, isHeld: () => boolean): UiNode => {
  const status = async () => {
    const now = await node.status();
    const finality = now.finalityChosen ? now.finality : null;
    if (!isHeld() && book.find(id) !== null) book.keepModes(id, { seal: now.seal, finality });
    return now;
  };
  const noted = async <T>(done: Promise<T>): Promise<T> => {
    const value = await done;
    await status().catch(() => undefined);
    return value;
  };
  return node.with({
    status,
    request: (method, params, options) => {
      const answer = node.request(method, params, options);
      return setters.has(method) ? noted(answer) : answer;
    },
  });
};
