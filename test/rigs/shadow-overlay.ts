import { bytesToHex, type Hex, hexToBytes } from '../../worker/bytes/hex.ts';
import type { Backend } from '../../worker/state/backend.ts';
import { createModelExt } from '../../worker/state/ext-model.fixture.ts';
import type { Overlay } from '../../worker/state/overlay.ts';
import { createModelRecorder, type Nodes } from '../../worker/state/proof-model.fixture.ts';

/** The nodes of a state, each loaded when it is asked for. */
const nodesOf = ({ parts }: Backend): Nodes => ({
  get: (name) => parts.deps.source.getNode(hexToBytes(name)) ?? undefined,
});

const main: Hex = '0x';

/**
 * Repeats each call on a model of the SDK, and reports each size of the proof that the runtime asks for
 * together with the model's. Every call that is not listed here reads nothing.
 */
export const shadowOverlay = (
  overlay: Overlay,
  backend: Backend,
  ignored: ReadonlySet<Hex>,
  report: (size: number | null, counted: number) => void,
) => {
  const counted = createModelRecorder(ignored);
  const model = createModelExt(nodesOf(backend), counted, bytesToHex(backend.root));
  const also =
    <A extends unknown[], T>(own: (...args: A) => T, other: (...args: A) => unknown) =>
    (...args: A): T => {
      const result = own(...args);
      other(...args);
      return result;
    };
  const shadowed: Overlay = {
    ...overlay,
    get: also(overlay.get, (key) => model.get(main, key)),
    exists: also(overlay.exists, (key) => model.exists(main, key)),
    nextKey: also(overlay.nextKey, (key) => model.nextKey(main, key)),
    set: also(overlay.set, (key, value) => model.set(main, key, value)),
    clear: also(overlay.clear, (key) => model.set(main, key, null)),
    append: also(overlay.append, model.append),
    clearPrefix: also(overlay.clearPrefix, (prefix, limit, cursor) =>
      model.clear(main, prefix, limit, cursor),
    ),
    childGet: also(overlay.childGet, (name, key) => model.get(bytesToHex(name), key)),
    childExists: also(overlay.childExists, (name, key) => model.exists(bytesToHex(name), key)),
    childNextKey: also(overlay.childNextKey, (name, key) => model.nextKey(bytesToHex(name), key)),
    childSet: also(overlay.childSet, (name, key, value) => model.set(bytesToHex(name), key, value)),
    childClear: also(overlay.childClear, (name, key) => model.set(bytesToHex(name), key, null)),
    childKill: also(overlay.childKill, (name, limit, cursor) =>
      model.clear(bytesToHex(name), new Uint8Array(), limit, cursor),
    ),
    childRoot: also(overlay.childRoot, (name) => model.childRoot(bytesToHex(name))),
    root: also(overlay.root, model.root),
    startTransaction: also(overlay.startTransaction, model.start),
    commitTransaction: also(overlay.commitTransaction, model.commit),
    rollbackTransaction: also(overlay.rollbackTransaction, model.rollback),
    startLayer: also(overlay.startLayer, () => {
      model.start();
      counted.start();
    }),
    endLayer: also(overlay.endLayer, (keep) => {
      (keep ? model.commit : model.rollback)();
      (keep ? counted.commit : counted.rollback)();
    }),
    proofSize: () => {
      const size = overlay.proofSize();
      report(size, counted.size());
      return size;
    },
  };
  return { overlay: shadowed, counted };
};
