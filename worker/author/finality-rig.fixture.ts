import type { FinalityMode, SealMode } from '../../src/protocol/node.ts';
import { type ChainEvent, createEvents } from '../chain/events.ts';
import { createNetworkRule } from '../chain/network-rule.ts';
import { createBlockTree, type TreeBlock } from '../chain/tree.ts';
import type { BlockHash } from '../codec/identity.ts';
import { createFinalityMode } from './finality-mode.ts';

type Timer = { readonly dueMs: number; readonly run: () => void };

/** Lets all work that only waits for promises complete. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A manual clock. `stall` advances time without running timers, as when the event loop is blocked. */
const createTime = () => {
  let nowMs = 0;
  let timers: readonly Timer[] = [];
  const fire = async (): Promise<void> => {
    const [due] = timers.filter(({ dueMs }) => dueMs <= nowMs).toSorted((a, b) => a.dueMs - b.dueMs);
    if (due === undefined) return;
    timers = timers.filter((timer) => timer !== due);
    due.run();
    await turn();
    await fire();
  };
  return {
    now: () => nowMs,
    timers: () => timers.length,
    schedule: (ms: number, run: () => void) => {
      const timer = { dueMs: nowMs + ms, run };
      timers = [...timers, timer];
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    pass: async (ms: number): Promise<void> => {
      await turn();
      for (const end = nowMs + ms; nowMs < end; nowMs++) await fire();
      await fire();
    },
    stall: async (ms: number): Promise<void> => {
      await turn();
      nowMs += ms;
      await fire();
    },
  };
};

const hashOf = (name: string): BlockHash => `0x${name.padStart(64, '0')}` as BlockHash;

const nameOf = (hash: BlockHash): string => hash.slice(2).replace(/^0+(?=.)/, '');

/** A tree that emits events, without a real chain. Blocks have names; `0` is the root. */
const createFakeChain = () => {
  const root: TreeBlock = { hash: hashOf('0'), number: 0, parent: hashOf('0'), weight: 0, isOwn: false };
  const tree = createBlockTree(root);
  const events = createEvents<ChainEvent>((error) => {
    throw error;
  });
  const emit = (event: object): void => void events.emit(event as ChainEvent);
  const finalize = (hash: BlockHash): void => {
    const { number } = tree.get(hash) as TreeBlock;
    const still = { enacted: [], retracted: [] };
    emit({ kind: 'finalized', hash, number, proof: null, ...tree.finalize(hash), ...still });
  };
  /** Adds a block. It becomes best if it is the highest. */
  const add = (name: string, parent: string, isOwn = true): void => {
    const { number } = tree.get(hashOf(parent)) as TreeBlock;
    const block = { hash: hashOf(name), number: number + 1, parent: hashOf(parent), weight: 0, isOwn };
    const isBest = tree.isBetter(block);
    const old = tree.best().hash;
    tree.insert(block);
    const route = isBest ? tree.route(old, block.hash) : { enacted: [], retracted: [] };
    if (isBest) tree.setBest(block.hash);
    emit({ kind: 'imported', ...block, isBest, ...route });
  };
  /** Moves the head to a block of the tree. */
  const move = (head: string): void => {
    const [first, ...above] = tree.all();
    tree.replace(first as TreeBlock, above, hashOf(head));
    emit({ kind: 'moved', hash: hashOf(head) });
  };
  return { tree, onEvent: events.on, finalize, add, move };
};

/** Finality over a fake chain, with a manual clock. */
export const createRig = (chosen: FinalityMode | null, seal: SealMode = { kind: 'instant' }) => {
  const time = createTime();
  const { tree, onEvent, finalize, add, move } = createFakeChain();
  const errors: unknown[] = [];
  const asked: string[] = [];
  const finals: string[] = [];
  let settled: Promise<void> = Promise.resolve();
  let failures: readonly Error[] = [];
  const finalizeIfBest = async (hash: BlockHash): Promise<void> => {
    asked.push(nameOf(hash));
    const [failure, ...rest] = failures;
    failures = rest;
    if (failure !== undefined) throw failure;
    if (tree.get(hash) === null || !tree.isDescendant(tree.best().hash, hash)) return;
    finals.push(nameOf(hash));
    finalize(hash);
  };
  const chain = { best: tree.best, finalized: tree.finalized, view: { tree }, onEvent, finalizeIfBest };
  const onError = (error: unknown) => errors.push(error);
  const rule = createNetworkRule();
  return {
    ...time,
    open: () =>
      createFinalityMode({ chain, rule, ...time, settled: () => settled, onError }, { chosen, seal }),
    add,
    move,
    finalize: (name: string) => finalize(hashOf(name)),
    fail: (...next: readonly Error[]) => {
      failures = next;
    },
    settle: (next: Promise<void>) => {
      settled = next;
    },
    /** The blocks passed to `finalizeIfBest`, and the blocks that were finalized. */
    asked,
    finals,
    errors,
  };
};

/** The same with its finality open. */
export const openRig = (...options: Parameters<typeof createRig>) => {
  const rig = createRig(...options);
  return { ...rig, finality: rig.open() };
};
