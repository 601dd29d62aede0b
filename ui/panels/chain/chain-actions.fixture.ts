import type { PageContext } from '../../node/page-context.ts';
import { createChainActions } from './chain-actions.svelte.ts';

/** The actions of a context whose list shows no branches. */
export const actionsOf = ({ node, chain, methods, sealing }: PageContext) =>
  createChainActions(node, chain, { standing: () => null } as never, methods, sealing);
