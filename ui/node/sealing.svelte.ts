import type { FinalityMode, NodeStatus, SealMode } from '../../src/index.ts';
import { coalesce } from '../kit/page/coalesce.ts';
import { Actions } from './client/action.svelte.ts';
import type { UiNode } from './client/ui-node.ts';
import { SharedStatus } from './node-status.svelte.ts';

const sealModes: readonly SealMode[] = [
  { kind: 'interval', ms: 2000 },
  { kind: 'interval', ms: 6000 },
  { kind: 'instant' },
  { kind: 'slots' },
  { kind: 'manual' },
];

/** The name of a seal mode in the seal control. */
const choiceOf = (mode: SealMode): string =>
  mode.kind === 'interval' ? `every ${mode.ms / 1000} s` : mode.kind;

/** The options of the seal control; a node can have an interval that is not among them. */
export const sealChoices = sealModes.map(choiceOf);

/** So often the status is read again at once while the finality mode is not decided. */
const mostRereads = 20;

type Modes = Pick<NodeStatus, 'seal' | 'finality' | 'edited'> &
  Partial<Pick<NodeStatus, 'sealFault' | 'finalityUndecided'>>;

/** What the node reports of sealing, finality and edits by hand, and manual sealing, with the last error. */
export class Sealing {
  /** The name of the seal mode; empty until known. */
  choice = $state.raw('');
  /** The finality mode; null until known. */
  finality = $state.raw<FinalityMode | null>(null);
  /** What the choice of a seal mode changed besides; null if nothing, or once it was dismissed. */
  news = $state.raw<string | null>(null);
  /** Hashes of the blocks whose state was edited by hand. */
  edited = $state.raw<ReadonlySet<string>>(new Set());
  /** Why the node can seal no block, in a sentence; null if it can, or is not known to be unable to. */
  keyless = $state.raw<string | null>(null);
  /** The status that these are taken from. */
  readonly status: SharedStatus;
  #node: UiNode;
  #actions: Actions;
  /** Whether to find out if the node has the key of an authority: most chains are sealed here, and need no check. */
  #isDoubtful: boolean;
  #rereads = 0;

  /** `isLookOnly`: the chain was created without the key of an authority. */
  constructor(node: UiNode, isLookOnly = false) {
    this.#node = node;
    this.#actions = new Actions(node);
    this.#isDoubtful = isLookOnly;
    this.status = new SharedStatus(node, (status) => this.applyStatus(status));
    // A node that has just stopped is reported elsewhere.
    this.status.read().catch(() => undefined);
  }

  /** Repeated with each status while there is no key: one may be added. */
  readonly #check = coalesce(async () => {
    const { keylessText, loadAuthorship } = await import('./consensus/authorship.ts');
    const authorship = await loadAuthorship(this.#node);
    this.keyless = keylessText(authorship);
    this.#isDoubtful = this.keyless !== null;
  });

  /** Takes these from the node's status, because any client may change them. */
  applyStatus({ seal, finality, finalityUndecided, edited, sealFault }: Modes): void {
    if (this.#isDoubtful || sealFault?.code === 'NoClaimableKey') this.#check().catch(() => undefined);
    if (`${edited}` !== `${[...this.edited]}`) this.edited = new Set(edited);
    if (finality.kind !== this.finality?.kind) this.news = null;
    // A node that has just started decides it within a second or two.
    const isOpen = finalityUndecided === true && this.#rereads < mostRereads;
    this.finality = isOpen ? null : finality;
    if (isOpen) {
      this.#rereads++;
      this.status.refresh();
    }
    if (!this.busy) this.choice = choiceOf(seal);
  }

  /** Whether the node finalizes each block when it is sealed. */
  get finalizes(): boolean {
    return this.finality?.kind === 'instant';
  }

  get busy(): boolean {
    return this.#actions.busy !== null;
  }

  /** What failed last, and the error; null if nothing did, or once it was dismissed. */
  get fault(): Actions['fault'] {
    return this.#actions.fault;
  }

  /** Seals one block now, even an empty one. The finality mode decides whether and when it is finalized. */
  async seal(): Promise<void> {
    const params = [true, false] as const;
    await this.#actions.run('Sealing a block', 'engine_createBlock', params, () =>
      this.author(() => this.#node.request('engine_createBlock', params)),
    );
  }

  /** Makes calls that seal blocks. Without the key of an authority it rejects with the sentence that the buttons have. */
  async author<T>(act: () => Promise<T>): Promise<T> {
    const check = () => this.#check().catch(() => undefined);
    // One may have been added.
    if (this.keyless !== null) await check();
    if (this.keyless !== null) throw new Error(this.keyless);
    try {
      return await act();
    } catch (fault) {
      await check();
      throw this.keyless === null ? fault : new Error(this.keyless);
    }
  }

  async choose(value: string): Promise<void> {
    const picked = sealModes.find((mode) => choiceOf(mode) === value);
    if (!picked) return;
    const [before, finality] = [this.choice, this.finality?.kind];
    this.choice = value;
    this.news = null;
    const done = await this.#actions.run('Setting the seal mode', 'dev_setSealMode', [picked]);
    if (done === null) {
      this.choice = before;
      return;
    }
    // Unless the operator has chosen one, the finality mode depends on the seal mode.
    await this.status.read().catch(() => undefined);
    const kind = this.finality?.kind;
    if (kind !== finality) this.news = `Finality is ${kind} now, the default for this seal mode.`;
  }

  dismiss(): void {
    this.news = null;
    this.#actions.dismiss();
  }
}
