import { isOneOfSeveral } from '../consensus/other-authorities.ts';
import type { NetworkDeps } from './deps.ts';

type Deps = Pick<NetworkDeps, 'chain' | 'keystore' | 'clock' | 'isSyncing'> & {
  /** Whether the node takes part in a network, and has no peer there. */
  readonly isAlone: () => boolean;
};

const behind = 'The node is far behind its peers: it seals blocks again when it has caught up';
const alone =
  'The node has no peer, and others may be sealing blocks: connect it with one of them, or start it with --force-authoring';

/**
 * Why the node seals no blocks by slots for now: blocks on top of an old one would only make a fork (sc-consensus-slots
 * `on_slot`). Null if it may.
 */
export const findWait = async (deps: Deps): Promise<string | null> => {
  if (deps.isSyncing()) return behind;
  // If the runtime does not say, the block shows why.
  const waits = deps.isAlone() && (await isOneOfSeveral(deps).catch(() => false));
  return waits ? alone : null;
};
