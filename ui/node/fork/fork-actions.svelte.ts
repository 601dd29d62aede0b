import type { ForkStatus } from '../../../src/index.ts';
import { fromHex } from '../../../src/scale/hex.ts';
import { saveFile } from '../../kit/page/save-file.ts';
import { countText, groupDigits, sizeText } from '../../kit/text/format.ts';
import { Actions } from '../client/action.svelte.ts';
import type { PageContext } from '../page-context.ts';

/** `polkadot-asset-hub-25000000.pack`. */
const packName = ({ name, base }: Pick<ForkStatus, 'name' | 'base'>): string => {
  const words = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return `${words.slice(0, 40) || 'fork'}-${base.number}.pack`;
};

/** Whether no endpoint of a fork can be reached. */
export const isCutOff = ({ endpoints }: Pick<ForkStatus, 'endpoints'>): boolean =>
  endpoints.every(({ state }) => state === 'failing' || state === 'unfit');

/** What can be done with a fork as a whole. It goes on when the dialog that shows it is closed. */
export class ForkActions {
  readonly actions: Actions;
  /** What was done last; null until then. */
  done = $state.raw<string | null>(null);
  /** What had been read of the live chain when the present action began. */
  #before = $state.raw({ requests: 0, bytes: 0 });
  readonly #status: PageContext['status'];

  constructor({ userNode, status }: Pick<PageContext, 'userNode' | 'status'>) {
    this.actions = new Actions(userNode);
    this.#status = status;
  }

  /** What the present action has read so far; empty if it has read nothing. */
  get progress(): string {
    const fork = this.#status.now?.fork;
    if (!fork || this.actions.busy === null || fork.requests <= this.#before.requests) return '';
    const { requests, bytes } = this.#before;
    return `${countText(fork.requests - requests, 'request')}, ${sizeText(fork.bytes - bytes)}`;
  }

  async #run<T>(act: () => Promise<{ readonly value: T } | null>, text: (value: T) => string): Promise<void> {
    const { requests = 0, bytes = 0 } = this.#status.last?.fork ?? {};
    this.#before = { requests, bytes };
    this.done = null;
    const result = await act();
    if (result !== null) this.done = text(result.value);
    this.#status.refresh();
  }

  /** Downloads the fork as one file. */
  save(fork: ForkStatus): Promise<void> {
    const name = packName(fork);
    return this.#run(
      () => this.actions.run('Saving the pack', 'dev_exportFork', []),
      (hex) => {
        const bytes = fromHex(hex);
        saveFile(name, bytes as Uint8Array<ArrayBuffer>, 'application/octet-stream');
        return `Saved ${name}, ${sizeText(bytes.length)}.`;
      },
    );
  }

  /** Continues from a newer block of the live chain: a number, a hash, `best` or `finalized`. */
  rebase(block: string): Promise<void> {
    const rebase = /^\d+$/.test(block) ? Number(block) : block;
    return this.#run(
      () => this.actions.run('Rebasing', 'dev_fork', [{ rebase }]),
      ({ base, writes }) =>
        `The fork now continues from block #${groupDigits(base.number)}.${
          writes === 0
            ? ''
            : ` ${countText(writes, 'value')} that you had set ${writes === 1 ? 'was' : 'were'} set again.`
        }`,
    );
  }
}
