import { countText, groupDigits, momentText } from '../../kit/text/format.ts';
import type { ChainView } from '../../node/chain-view.svelte.ts';
import { Actions } from '../../node/client/action.svelte.ts';
import type { MethodNames } from '../../node/client/method-names.svelte.ts';
import type { Answer, UiNode } from '../../node/client/ui-node.ts';
import { loadEpoch } from '../../node/consensus/read-epoch.ts';
import type { Sealing } from '../../node/sealing.svelte.ts';
import { finalizeText, jumpText, previewHeadMove, restoreText } from './control/move-text.ts';
import { type Jump, travelText } from './control/travel-text.ts';
import type { ChainTree } from './list/chain-tree.svelte.ts';
import type { Standing } from './list/standing.ts';

/** The panel's actions that change the chain, each with a text that is shown while it runs. */
export type ChainActions = ReturnType<typeof createChainActions>;

type Ref = { readonly hash: string; readonly number: number };

/** The confirmation of an action that discards blocks, finalizes them or moves the clock far ahead. */
export type Question = {
  readonly title: string;
  /** Hash of the block in question. */
  readonly hash: string;
  /** Label of the button that confirms. */
  readonly yes: string;
  /** Loads what the action would change, one paragraph each. */
  readonly loadEffects: () => Promise<readonly string[]>;
  readonly act: () => unknown;
  /** Whether it removes nothing, so that its button does not look like that of a deletion. */
  readonly keeps?: boolean;
};

type Asking = {
  readonly node: UiNode;
  readonly chain: ChainView;
  readonly tree: ChainTree;
  readonly offers: MethodNames;
  readonly run: Actions['run'];
  readonly ask: (question: Question) => void;
};

/** Whether a move to the block goes to another branch or forward, and not back on the best chain. */
export const isBranchSwitch = (
  standing: Standing | null,
  number: number,
  { best }: Pick<ChainView, 'best'>,
): boolean => ['fork', 'lost', 'off'].includes(standing ?? '') || number > (best?.number ?? 0);

/** Said of a block that the chain cannot continue from. */
export const leftBehindText = 'A rollback left this fork behind. Switch to it to build on it or finalize it.';

/** Whether a rollback took the block from the node's tree, as it does with the longer forks. */
export const isLeftBehind = async (node: UiNode, { hash, number }: Ref): Promise<boolean> =>
  node.offers('archive_v1_hashByHeight') &&
  !(await node.request('archive_v1_hashByHeight', [number])).includes(hash);

/** What a snapshot restores. */
type Saved = Ref & { readonly finalizedNumber: number };

/** What a jump of the clock does, on top of this block. */
const loadTravelText = async (node: UiNode, hash: string, jump: Pick<Jump, 'fromMs' | 'toMs' | 'slotMs'>) => {
  const epoch = await loadEpoch(node, hash);
  return travelText({ ...jump, nowMs: Date.now(), epochSlots: epoch?.duration ?? null });
};

const restoreTitle = (number: number, name: string | null): string => {
  const to = `#${groupDigits(number)}`;
  if (name !== null) return `Restore “${name}” at ${to}?`;
  return `Reset the chain to ${number === 0 ? 'genesis' : to}?`;
};

/** The actions that ask for confirmation. */
const createQuestions = ({ node, chain, tree, offers, run, ask }: Asking) => ({
  /** `why` explains finalization as a side effect of another action, which `act` then performs. */
  askFinalize: ({ hash, number }: Ref, why?: string, act?: () => unknown): void =>
    ask({
      title: `Finalize block #${groupDigits(number)}?`,
      hash,
      yes: `Finalize #${groupDigits(number)}`,
      loadEffects: async () => {
        if (await isLeftBehind(node, { hash, number })) return [leftBehindText];
        const effects = finalizeText(
          tree.layout.blocks,
          { hash, number },
          {
            finalized: chain.finalized,
            best: chain.best?.number ?? 0,
            isOnBest: (await node.request('chain_getBlockHash', [number])) === hash,
            canReturn: offers.has('dev_setHead'),
          },
        );
        return why === undefined ? effects : [why, ...effects];
      },
      act: act ?? (() => run(`Finalizing #${groupDigits(number)}`, 'dev_finalise', [hash])),
    }),
  /** For a jump of a day or more: `hash` is the best block. */
  askTravel: (jump: Pick<Jump, 'fromMs' | 'toMs' | 'slotMs'>, { hash }: Ref, act: () => unknown): void =>
    ask({
      title: `Move the clock to ${momentText(jump.toMs)}?`,
      hash,
      yes: 'Move the clock',
      keeps: true,
      loadEffects: () => loadTravelText(node, hash, jump),
      act,
    }),
  /** Makes a block the best one: an earlier one, or one of a fork. */
  askJump: ({ hash, number }: Ref): void => {
    const what = isBranchSwitch(tree.standing(hash), number, chain) ? 'Switch to' : 'Roll back to';
    const yes = `${what} #${groupDigits(number)}`;
    ask({
      title: `${yes}?`,
      hash,
      yes,
      loadEffects: async () => jumpText(await previewHeadMove(node, { hash, number })),
      act: () => run(`Setting the head to #${groupDigits(number)}`, 'dev_setHead', [hash]),
    });
  },
  askDelete: ({ hash, number }: Ref, name: string, after: () => unknown): void =>
    ask({
      title: `Delete “${name}” at #${groupDigits(number)}?`,
      hash,
      yes: 'Delete',
      loadEffects: async () => ['Blocks that only this snapshot keeps are deleted.'],
      act: async () => {
        if ((await run(`Deleting ${name}`, 'dev_deleteSnapshot', [name])) !== null) after();
      },
    }),
  /** Restores a snapshot, or resets to the first block if `name` is null. `after` runs on success. */
  askRestore: ({ finalizedNumber, ...to }: Saved, name: string | null, after: () => unknown): void =>
    ask({
      title: restoreTitle(to.number, name),
      hash: to.hash,
      yes: name === null ? 'Reset' : 'Restore',
      loadEffects: async () =>
        restoreText(await previewHeadMove(node, to), name === null ? 'genesis' : 'snapshot', finalizedNumber),
      act: async () => {
        const done =
          name === null
            ? await run('Going back to genesis', 'dev_reset', [])
            : await run(`Restoring ${name}`, 'dev_restore', [name]);
        if (done !== null) after();
      },
    }),
});

/** A long build takes several calls, so that Stop does not wait long. */
const blocksPerCall = 10;

export const createChainActions = (
  node: UiNode,
  chain: ChainView,
  tree: ChainTree,
  offers: MethodNames,
  sealing: Pick<Sealing, 'author'>,
) => {
  const actions = new Actions(node);
  const run = actions.run.bind(actions);
  let asked = $state.raw<Question | null>(null);
  let building = $state.raw<{ readonly done: number; readonly all: number } | null>(null);
  let stopped = false;
  const ask = (question: Question | null): void => {
    asked = question;
  };
  return Object.assign(createQuestions({ node, chain, tree, offers, run, ask }), {
    actions,
    offers,
    /** The open question; null if there is none. */
    asked: () => asked,
    dismiss: () => ask(null),
    /** How far `build` is; null while it does not run. */
    building: () => building,
    /** Ends `build` after the blocks of the current call. */
    stop: (): void => {
      stopped = true;
    },
    /** Builds blocks on the best one, or a branch on another one: `on`. */
    build: (all: number, on: Ref | null = null) => {
      const built = { ...(on && { parent: on.hash }), count: 0 };
      let parent = on?.hash;
      const blocks = on !== null && all === 1 ? '' : ` ${countText(all, 'block')}`;
      const place = on === null ? '' : ` on #${groupDigits(on.number)}`;
      return run(`Building${blocks}${place}`, 'dev_newBlock', [built], async () => {
        stopped = false;
        try {
          let hash: Answer<'dev_newBlock'>;
          do {
            const count = Math.min(blocksPerCall, all - built.count);
            building = { done: built.count, all };
            const next = { ...(parent && { parent }), count };
            hash = await sealing.author(() => node.request('dev_newBlock', [next]));
            if (parent !== undefined && typeof hash === 'string') parent = hash;
            built.count += count;
          } while (!stopped && built.count < all);
          return hash;
        } finally {
          building = null;
        }
      });
    },
    setFinality: (mode: string) => run(`Setting finality to ${mode}`, 'dev_setFinality', [mode]),
    travel: (ms: number) => run(`Moving the clock to ${momentText(ms)}`, 'dev_timeTravel', [ms]),
    keepSnapshot: (name: string) => run(`Saving ${name}`, 'dev_snapshot', [name]),
  });
};
