import { groupDigits } from '../state/format.ts';
import { MethodNames } from '../state/method-names.svelte.ts';
import type { UiNode } from '../state/ui-node.ts';
import { Actions } from './actions.svelte.ts';
import type { Standing } from './standing.ts';

/** What can be done to the chain from this panel, each with the words that say what runs. */
export type ChainDeeds = ReturnType<typeof createDeeds>;

const blocksText = (count: number): string => (count === 1 ? 'one block' : `${groupDigits(count)} blocks`);

/** What is asked before a block becomes final. */
export const finalizeText = 'This cannot be undone. Forks without this block are abandoned.';

/** What is asked before a block becomes the best one; a jump takes finality back too. */
export const jumpText = (number: number, standing: Standing | null, finalized: number): string =>
  `Make #${groupDigits(number)} the best block?${number < finalized || standing === 'lost' ? ` Final blocks up to #${groupDigits(finalized)} would be undone.` : ''}`;

export const createDeeds = (node: UiNode) => {
  const actions = new Actions(node);
  const run = actions.run.bind(actions);
  return {
    actions,
    offers: new MethodNames(node),
    build: (count: number) => run(`Building ${blocksText(count)}`, 'dev_newBlock', [{ count }]),
    buildOn: (parent: string, number: number) =>
      run(`Building on #${groupDigits(number)}`, 'dev_newBlock', [{ parent }]),
    /** The best block where no hash is given. */
    finalise: (hash: string | null, number: number) =>
      run(`Finalizing #${groupDigits(number)}`, 'dev_finalise', hash === null ? [] : [hash]),
    jump: (hash: string, number: number) => run(`Jumping to #${groupDigits(number)}`, 'dev_setHead', [hash]),
    setFinality: (mode: string) => run(`Setting finality to ${mode}`, 'dev_setFinality', [mode]),
    travel: (ms: number) =>
      run(`Moving the clock to ${new Date(ms).toISOString().slice(0, 19)}`, 'dev_timeTravel', [ms]),
    keepSnapshot: (name: string) => run(`Keeping ${name}`, 'dev_snapshot', [name]),
    restore: (name: string) => run(`Going back to ${name}`, 'dev_restore', [name]),
    deleteSnapshot: (name: string) => run(`Deleting ${name}`, 'dev_deleteSnapshot', [name]),
    reset: () => run('Going back to genesis', 'dev_reset', []),
  };
};
