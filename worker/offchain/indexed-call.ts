import { type CallExtensions, limitedOffchain, type OffchainHost } from '../executor/extensions.ts';
import type { CallResult } from '../executor/runtime.ts';
import { Trap } from '../executor/trap.ts';
import { Waiting } from './answers.ts';
import type { OffchainStorage } from './storage.ts';

const why = 'This call may only read the offchain database';

const reader = (storage: Pick<OffchainStorage, 'peek' | 'load'>): OffchainHost =>
  limitedOffchain(why, {
    localStorageGet: (kind, key) => {
      if (kind !== 0) throw new Trap(why);
      const value = storage.peek(null, key);
      if (value === undefined) throw new Waiting(storage.load(null, key));
      return value;
    },
  });

/** Maximum number of values that one call may load; a proof needs about sixty. */
const maxReads = 4096;

/**
 * A runtime call that may read values that blocks wrote to the offchain index (the SDK's OffchainDbExt). With
 * an asynchronous database, the call is repeated with each loaded value. Traps if it uses any other
 * extension.
 */
export const callWithOffchain = async (
  storage: Pick<OffchainStorage, 'peek' | 'load'>,
  call: (extensions: CallExtensions) => Promise<CallResult>,
): Promise<CallResult> => {
  const extensions: CallExtensions = { offchain: reader(storage) };
  for (let reads = 0; reads < maxReads; reads++) {
    try {
      return await call(extensions);
    } catch (error) {
      if (!(error instanceof Waiting)) throw error;
      await error.settled;
    }
  }
  const trap = 'The call reads too much of the offchain database';
  return { ok: false, kind: 'trap', trap, logs: [] };
};
