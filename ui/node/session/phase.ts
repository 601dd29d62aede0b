import type { NodeError } from '../../../src/index.ts';
import type { UiNode } from '../client/ui-node.ts';
import type { ChainEntry } from './chain-entry.ts';

/** State of this page's node. */
export type Phase =
  | { readonly kind: 'none' }
  /** The URL names a chain that does not exist in this browser. */
  | { readonly kind: 'unknown'; readonly id: string }
  | { readonly kind: 'starting'; readonly entry: ChainEntry; readonly node: null }
  /** A chain that was open before: the node can be used, its calls wait. */
  | { readonly kind: 'starting'; readonly entry: ChainEntry; readonly node: UiNode }
  | { readonly kind: 'running'; readonly entry: ChainEntry; readonly node: UiNode }
  /** This tab closes or deletes it; nothing else happens to it meanwhile. */
  | { readonly kind: 'closing'; readonly entry: ChainEntry; readonly what: 'Closing' | 'Deleting' }
  /** Another tab deletes it, or has deleted it. */
  | { readonly kind: 'deleted'; readonly entry: ChainEntry }
  /** Open in another tab, which took it over from this one or did not release it on request. */
  | { readonly kind: 'inUse'; readonly entry: ChainEntry; readonly why: 'open' | 'taken' | 'kept' | 'closed' }
  | { readonly kind: 'repair'; readonly entry: ChainEntry }
  | { readonly kind: 'failed'; readonly entry: ChainEntry; readonly error: NodeError }
  | { readonly kind: 'dead'; readonly entry: ChainEntry; readonly error: NodeError };

/** A node that has started: as the page shows it, and what makes it the console's. */
export type Launched = { readonly node: UiNode; readonly toConsole: UiNode['toConsole'] | undefined };
