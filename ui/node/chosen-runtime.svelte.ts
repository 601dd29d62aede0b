import type { PageContext } from './page-context.ts';
import type { RuntimeFile, Session } from './session/session.svelte.ts';

/** The runtime file that is rehearsed and applied: one for both pages. A file that is dropped on the page later replaces it. */
class ChosenRuntime {
  #session: Pick<Session, 'upgrade'> | null;
  file = $derived.by<RuntimeFile | null>(() => this.#session?.upgrade ?? null);

  constructor(session: Pick<Session, 'upgrade'> | null) {
    this.#session = session;
  }
}

export const useChosenRuntime = ({ keep, session }: Pick<PageContext, 'keep' | 'session'>): ChosenRuntime =>
  keep('chosen-runtime', () => new ChosenRuntime(session));
