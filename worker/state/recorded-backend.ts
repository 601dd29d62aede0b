import { MissingNodes } from '../trie/missing-nodes.ts';
import type { ProofRecorder } from '../trie/proof-recorder.ts';
import { recordTrie } from '../trie/recorded-trie.ts';
import { type Backend, childKey, createBackendOver, type StateTries } from './backend.ts';

/**
 * A child trie is opened by its root, which is read from the main trie each time (sp-state-machine,
 * `trie_backend_essence.rs`, `child_root`).
 */
const recordTries = ({ main, own, open, empty }: StateTries, recorder: ProofRecorder): StateTries => {
  const recorded = recordTrie(main, recorder);
  return {
    main: recorded,
    own,
    open: (name) => {
      recorded.get(childKey(name));
      const child = open(name);
      return child === null ? null : recordTrie(child, recorder);
    },
    empty: () => recordTrie(empty(), recorder),
  };
};

/** A miss is repeated without recording, because the call that missed starts again and records it then. */
const missing =
  <A extends unknown[], T>(read: (...args: A) => T, plain: (...args: A) => T) =>
  (...args: A): T => {
    try {
      return read(...args);
    } catch (error) {
      if (error instanceof MissingNodes) {
        plain(...args);
        error.again = null;
      }
      throw error;
    }
  };

/**
 * The same state for one block or call, whose reads and edits are recorded. The states that commits return
 * record nothing.
 */
export const recordBackend = (backend: Backend, recorder: ProofRecorder): Backend => {
  const { deps, tries } = backend.parts;
  const recorded = createBackendOver({ deps, tries: recordTries(tries, recorder) });
  return {
    ...recorded,
    get: missing(recorded.get, backend.get),
    exists: missing(recorded.exists, backend.exists),
    valueHash: missing(recorded.valueHash, backend.valueHash),
    nextKey: missing(recorded.nextKey, backend.nextKey),
    visitKeys: missing(recorded.visitKeys, (range) => backend.visitKeys(range, () => true)),
    childGet: missing(recorded.childGet, backend.childGet),
    childExists: missing(recorded.childExists, backend.childExists),
    childValueHash: missing(recorded.childValueHash, backend.childValueHash),
    childNextKey: missing(recorded.childNextKey, backend.childNextKey),
    childVisitKeys: missing(recorded.childVisitKeys, (name, range) =>
      backend.childVisitKeys(name, range, () => true),
    ),
    childRootAfter: missing(recorded.childRootAfter, backend.childRootAfter),
    commit: missing(recorded.commit, backend.commit),
  };
};
