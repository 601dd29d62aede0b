import { NodeError } from '../../src/protocol/errors.ts';
import { DecodeFault } from '../../src/scale/cursor.ts';
import { EncodeFault } from '../../src/scale/encode.ts';
import { createRuntimeMeta, metadataVersion } from '../../src/scale/runtime.ts';
import type { RuntimeMeta } from '../../src/scale/types.ts';
import type { Chain } from '../chain/chain.ts';
import type { BlockHash } from '../codec/identity.ts';
import type { Runtime } from '../executor/executor.ts';
import { metadata, targetOf } from '../executor/runtime-api.ts';

/** The first version of metadata that describes the types it names. */
const firstDescribed = 14;

/** A dry run asks for it twice, and to read and decode it takes several times as long as the block. */
const known = /* @__PURE__ */ new WeakMap<Runtime, RuntimeMeta | null>();

/** The metadata of a block's runtime; null if it is older than V14. It depends on the code alone. */
export const loadMeta = async (
  chain: Pick<Chain, 'runtimeAt' | 'withState'>,
  hash: BlockHash,
): Promise<RuntimeMeta | null> => {
  const runtime = await chain.runtimeAt(hash);
  const before = known.get(runtime);
  if (before !== undefined) return before;
  const bytes = await chain.withState(hash, (backend) =>
    metadata(targetOf({ backend, runtime }, { fuel: 'import' })),
  );
  const meta = (metadataVersion(bytes) ?? 0) < firstDescribed ? null : createRuntimeMeta(bytes);
  known.set(runtime, meta);
  return meta;
};

/** Runs code of src/scale; what it refuses is a `BadValue`, and bytes that it cannot decode are `BadScale`. */
export const withNodeErrors = <T>(run: () => T): T => {
  try {
    return run();
  } catch (fault) {
    if (fault instanceof EncodeFault) throw new NodeError('BadValue', fault.message, { cause: fault });
    if (fault instanceof DecodeFault) throw new NodeError('BadScale', fault.message, { cause: fault });
    throw fault;
  }
};
