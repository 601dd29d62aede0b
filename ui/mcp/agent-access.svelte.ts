import type { Bench } from '../state/bench.ts';
import { findModelContext, type ModelContext } from './model-context.ts';
import type { ToolCard } from './tools/index.ts';

type Phase =
  | { readonly kind: 'registering' }
  | { readonly kind: 'offered'; readonly cards: readonly ToolCard[] }
  | { readonly kind: 'failed'; readonly fault: unknown };

/** The tools that this page offers to agents of the browser while its chain is open. */
export class AgentAccess {
  #bench: Pick<Bench, 'node' | 'metas'>;
  #model: ModelContext;
  #ended: AbortSignal;
  #offer = new AbortController();
  #allowWrites = $state(false);
  #phase = $state.raw<Phase>({ kind: 'registering' });

  constructor(bench: Pick<Bench, 'node' | 'metas'>, model: ModelContext, ended: AbortSignal) {
    this.#bench = bench;
    this.#model = model;
    this.#ended = ended;
    void this.#begin();
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** Whether agents may change the chain: until the chain is closed, never at the start. */
  get allowWrites(): boolean {
    return this.#allowWrites;
  }

  /** Calls in progress end with the old permission. */
  set allowWrites(allowed: boolean) {
    this.#allowWrites = allowed;
    void this.#begin();
  }

  async #begin(): Promise<void> {
    this.#offer.abort();
    const offer = new AbortController();
    this.#offer = offer;
    const signal = AbortSignal.any([offer.signal, this.#ended]);
    const { node, metas } = this.#bench;
    const allowWrites = this.#allowWrites;
    this.#phase = { kind: 'registering' };
    try {
      const { offerTools } = await import('./web-mcp.ts');
      const cards = await offerTools(this.#model, { node, metas, allowWrites, signal });
      if (!signal.aborted) this.#phase = { kind: 'offered', cards };
    } catch (fault) {
      if (!signal.aborted) this.#phase = { kind: 'failed', fault };
    }
  }
}

/** Null in a browser without WebMCP, and in devtools of somebody else's node: its page decides what agents get. */
export const agentAccess = (bench: Bench): AgentAccess | null => {
  const model = bench.session === null ? null : findModelContext();
  return model === null ? null : bench.keep('agents', (ended) => new AgentAccess(bench, model, ended));
};
