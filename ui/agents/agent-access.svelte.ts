import type { PageContext } from '../node/page-context.ts';
import { findModelContext, type ModelContext } from './model-context.ts';
import type { ToolCard } from './tools/index.ts';

/** The tools that this page offers to agents of the browser while its chain is open. */
export class AgentAccess {
  #writing = $state.raw<AbortController | null>(null);
  /** Resolves once they are registered, and rejects if the browser refuses them. */
  readonly cards: Promise<readonly ToolCard[]>;

  constructor(
    { node, metas }: Pick<PageContext, 'node' | 'metas'>,
    model: ModelContext,
    signal: AbortSignal,
  ) {
    const writing = (): AbortSignal | null => this.#writing?.signal ?? null;
    this.cards = import('./web-mcp.ts').then(({ offerTools }) =>
      offerTools(model, { node, metas, writing, signal }),
    );
    // The Node panel shows why.
    this.cards.catch(() => undefined);
  }

  /** Whether agents may change the chain: until the node ends, never at the start. */
  get allowWrites(): boolean {
    return this.#writing !== null;
  }

  /** Withdrawing the permission ends writing calls in progress. */
  set allowWrites(allowed: boolean) {
    this.#writing?.abort();
    this.#writing = allowed ? new AbortController() : null;
  }
}

/** Null in a browser without WebMCP, and for another page's node: that page decides what agents get. */
export const agentAccess = (context: PageContext): AgentAccess | null => {
  const model = context.session === null ? null : findModelContext();
  return model === null ? null : context.keep('agents', (ended) => new AgentAccess(context, model, ended));
};
