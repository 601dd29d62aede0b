import type { NodeOptions, TabNode } from '../../../../src/index.ts';
import { recentStates } from '../../../node/client/chain-modes.ts';
import { pairDatabase } from '../../../node/session/pair-database.ts';
import { Peer, type StartPeer } from './peer.svelte.ts';

export type PairDeps = {
  readonly start: StartPeer;
  /** Lets two nodes exchange blocks and votes. */
  readonly link: (a: TabNode, b: TabNode) => Promise<unknown>;
  /** Deletes what an earlier visit has left. */
  readonly clean: () => Promise<void>;
};

/**
 * Chain time begins a month ago and advances by several slots per block, so that blocks can follow each other
 * faster than the slots of the wall clock.
 */
const startMs = (): number => Date.now() - 30 * 86_400_000;
export const sealMs = 2000;

/** Alice seals, so there are no forks; both vote. */
const optionsOf = {
  Alice: (): NodeOptions => ({
    chain: 'local_testnet',
    storage: 'memory',
    statePruning: { ifNew: recentStates },
    keys: ['//Alice'],
    seal: { kind: 'interval', ms: sealMs },
    finality: 'grandpa',
    clock: new Date(startMs()),
  }),
  Bob: (): NodeOptions => ({
    chain: 'local_testnet',
    // A voter that forgot its votes when it is stopped could vote twice in a round.
    storage: { kind: 'indexeddb', name: pairDatabase },
    statePruning: { ifNew: recentStates },
    keys: ['//Bob'],
    seal: 'manual',
    finality: 'grandpa',
    clock: 'wall',
  }),
} as const;

/** Two nodes of one chain, each with one of its two voters. */
export class Pair {
  readonly alice: Peer;
  readonly bob: Peer;
  #deps: PairDeps;
  #ended = new AbortController();
  /** Why the last action failed, or a node ended by itself; null otherwise. */
  fault = $state.raw<unknown>(null);
  /** The node that it is about; null for both. */
  failed = $state<string | null>(null);
  /** Whether nodes are starting or stopping. */
  busy = $state(false);

  constructor(deps: PairDeps) {
    this.#deps = deps;
    const create = (name: keyof typeof optionsOf): Peer =>
      new Peer(
        name,
        () => deps.start({ ...optionsOf[name](), signal: this.#ended.signal }),
        (reason) => this.#fail(reason, name),
      );
    this.alice = create('Alice');
    this.bob = create('Bob');
  }

  /** Blocks that Alice has sealed and that are not final on her node. */
  get waiting(): number {
    const { best, finalized } = this.alice.now;
    return best - finalized;
  }

  start(): Promise<void> {
    return this.#run(async () => {
      await this.alice.stop();
      await this.bob.stop();
      await this.#deps.clean();
      const both = [this.alice.start(), this.bob.start()] as const;
      // If one fails, a retry must not find the other half started.
      await Promise.allSettled(both);
      const [alice, bob] = await Promise.all(both);
      await this.#deps.link(alice, bob);
    });
  }

  stopBob(): Promise<void> {
    return this.#run(() => this.bob.stop(), 'Bob');
  }

  startBob(): Promise<void> {
    return this.#run(async () => {
      const bob = await this.bob.start();
      const { node } = this.alice;
      if (node !== null) await this.#deps.link(node, bob);
    }, 'Bob');
  }

  /** Ends both workers. */
  close(): void {
    this.#ended.abort();
  }

  #fail(fault: unknown, failed: string | null): void {
    if (!this.#ended.signal.aborted) Object.assign(this, { fault, failed });
  }

  async #run(act: () => Promise<void>, of: string | null = null): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.fault = null;
    try {
      await act();
    } catch (fault) {
      this.#fail(fault, of);
    }
    this.busy = false;
  }
}
