import type { chopsticks as table } from '../../../src/protocol/rpc/chopsticks.ts';
import { bytesToHex } from '../../bytes/hex.ts';
import type { Handlers } from '../handlers.ts';
import { blockAt, readState } from '../lookups.ts';
import type { RpcParts } from '../parts.ts';
import { orRefusal } from './dev.ts';

type Deps = Pick<RpcParts, 'chain' | 'executor' | 'sealing'>;

/** As `ext_logging_max_level` numbers them. */
const levels = ['off', 'error', 'warn', 'info', 'debug', 'trace'] as const;

export const chopsticksMethods: Handlers<typeof table, Deps> = {
  dev_setBlockBuildMode: ({ sealing }, { mode }) => {
    sealing.setMode(mode);
    return null;
  },
  dev_setRuntimeLogLevel: ({ executor }, { level }) => {
    // Without this, directives for single targets would still let more pass.
    executor.logFilter.reset();
    executor.logFilter.add(levels[level] ?? 'off');
    return null;
  },
  dev_getReadProof: (deps, { keys, hash }) => {
    const at = blockAt(deps, hash);
    return readState(deps, at, (backend) => ({
      at,
      proof: backend.prove(keys).map(bytesToHex),
      stateRoot: bytesToHex(backend.root),
    }));
  },
  dev_runBlock: async (deps, { block }) => {
    const { chain } = deps;
    if (block?.kind === 'given') {
      const { runGivenBlock } = await import('../../fork/given-block.ts');
      return orRefusal(runGivenBlock(chain, { ...block, parent: blockAt(deps, block.parent) }));
    }
    const { runOwnBlock } = await import('../../fork/own-block.ts');
    return orRefusal(runOwnBlock(chain, blockAt(deps, block?.hash)));
  },
};
