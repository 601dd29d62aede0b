import type { PageContext } from '../state/page-context.ts';
import { findModelContext, type ModelContext } from './model-context.ts';
import type { ToolCard } from './tools/index.ts';

type Phase =
  | { readonly kind: 'registering' }
  | { readonly kind: 'offered'; readonly cards: readonly ToolCard[] }
  | { readonly kind: 'failed'; readonly fault: unknown };

/** The tools that this page offers to agents of the browser while its chain is open. */
export class AgentAccess {
  #writing = $state.raw<AbortController | null>(null);
  phase = $state.raw<Phase>({ kind: 'registering' });

  constructor(context: Pick<PageContext, 'node' | 'metas'>, model: ModelContext, ended: AbortSignal) {
    void this.#begin(context, model, ended);
  }

  /** Whether agents may change the chain: until the chain is closed, never at the start. */
  get allowWrites(): boolean {
    return this.#writing !== null;
  }

  /** Withdrawing the permission ends writing calls in progress. */
  set allowWrites(allowed: boolean) {
    this.#writing?.abort();
    this.#writing = allowed ? new AbortController() : null;
  }

  async #begin(
    { node, metas }: Pick<PageContext, 'node' | 'metas'>,
    model: ModelContext,
    signal: AbortSignal,
  ): Promise<void> {
    const writing = (): AbortSignal | null => this.#writing?.signal ?? null;
    try {
      const { offerTools } = await import('./web-mcp.ts');
      const cards = await offerTools(model, { node, metas, writing, signal });
      if (!signal.aborted) this.phase = { kind: 'offered', cards };
    } catch (fault) {
      if (!signal.aborted) this.phase = { kind: 'failed', fault };
    }
  }
}

/** Null in a browser without WebMCP, and for another page's node: that page decides what agents get. */
export const agentAccess = (context: PageContext): AgentAccess | null => {
  const model = context.session === null ? null : findModelContext();
  return model === null ? null : context.keep('agents', (ended) => new AgentAccess(context, model, ended));
};
