import { toHex } from '../../src/scale/hex.ts';
import { query } from './client/query.svelte.ts';
import type { PageContext } from './page-context.ts';
import type { RuntimeFile, Session } from './session/session.svelte.ts';

/** The runtime file that is rehearsed and applied: one for both pages. A file that is dropped on the page later replaces it. */
export class ChosenRuntime {
  readonly #session: Pick<Session, 'upgrade'> | null;
  readonly #node: PageContext['node'];
  file = $derived.by<RuntimeFile | null>(() => this.#session?.upgrade ?? null);
  /** Its bytes as a 0x string; null without a file. */
  readonly code = $derived.by(() => (this.file === null ? null : toHex(this.file.bytes)));
  /** What the node reads in the file. */
  readonly info = query(
    () => this.code ?? undefined,
    (code) => this.#node.rpc.dev_runtimeInfo({ code }),
  );

  constructor({ session, node }: Pick<PageContext, 'session' | 'node'>) {
    this.#session = session;
    this.#node = node;
  }
}

export const useChosenRuntime = (context: Pick<PageContext, 'keep' | 'session' | 'node'>): ChosenRuntime =>
  context.keep('chosen-runtime', () => new ChosenRuntime(context));
