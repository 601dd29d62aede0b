import { countText, faultText, groupDigits } from '../../kit/text/format.ts';
import type { Session } from '../../node/session/session.svelte.ts';
import { blocksIn, type ChainArchive, fillChain, importBlocks, recoveryHint } from './chain-archive.ts';

const noSeal = { kind: 'manual' } as const;

/** Fills a chain with the blocks of its file; one that was stopped or failed can be continued. */
export class ArchiveImport {
  readonly #session: Session;
  /** Id of the chain that was created, of which not all blocks of the file are in it; null before. */
  into = $state<string | null>(null);
  /** Blocks imported so far. */
  done = $state(0);
  #stopping = $state.raw<AbortController | null>(null);

  constructor(session: Session) {
    this.#session = session;
  }

  get isRunning(): boolean {
    return this.#stopping !== null;
  }

  stop(): void {
    this.#stopping?.abort();
  }

  /** Opens the chain of the import again, if the page shows another one by now. */
  async #reopen(name: string): Promise<void> {
    const entry = this.#session.book.find(this.into);
    if (entry === null) throw new Error(`“${name}” was deleted.`);
    if (this.#session.entry?.id !== this.into) await this.#session.start(entry);
  }

  /**
   * Imports the blocks into the chain `into`. One without the key of an authority does not seal blocks afterwards. Rejects with
   * a sentence that says how many blocks the chain has then.
   */
  async run(name: string, { lines, modes }: ChainArchive, isLookOnly: boolean): Promise<void> {
    await this.#reopen(name);
    const session = this.#session;
    const { node } = session;
    const stopping = new AbortController();
    const { signal } = stopping;
    const onProgress = (now: number) => (this.done = now);
    this.#stopping = stopping;
    this.done = 0;
    try {
      // The first line of the file describes the chain.
      await fillChain(
        session,
        (open) => importBlocks(open, lines, { onProgress, signal }, 1),
        isLookOnly ? noSeal : modes.seal,
      );
      // The file says what is final only by its justifications, and instant finality applies only to blocks that
      // the node seals.
      if (node !== null && (await node.status()).finality.kind === 'instant')
        await node.request('dev_finalise', [await node.request('chain_getBlockHash', [])]);
    } catch (error) {
      // The batch that failed may have added some, and another client may have moved the head.
      const open = session.entry?.id === this.into ? session.node : null;
      const best = await open?.request('chain_getHeader', []).catch(() => null);
      const ended = `${groupDigits(Number(best?.number ?? this.done))} of ${countText(blocksIn(lines), 'block')} imported`;
      throw new Error(
        signal.aborted ? `Stopped: ${ended}.` : `${faultText(error)} (${ended})${recoveryHint(error, name)}`,
      );
    } finally {
      this.#stopping = null;
    }
  }
}
