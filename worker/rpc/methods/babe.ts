import { NodeError } from '../../../src/protocol/errors.ts';
import type { babe as table } from '../../../src/protocol/rpc/consensus.ts';
import { epochAuthorship } from '../../consensus/babe/authorship.ts';
import { createEpochLookup } from '../../consensus/babe/babe.ts';
import { ss58Encode } from '../../crypto/ss58.ts';
import { targetOf } from '../../executor/runtime-api.ts';
import {
  type BabeEpoch,
  babeConfiguration,
  babeCurrentEpochStart,
} from '../../executor/runtime-api-consensus.ts';
import { yieldNow } from '../../tasks/pace.ts';
import { RpcError } from '../errors.ts';
import type { Handlers } from '../handlers.ts';
import type { RpcParts } from '../parts.ts';

type Deps = Pick<RpcParts, 'chain' | 'keystore' | 'crypto'>;

/** The native node's default. */
const ss58Prefix = 42;

/** 9001 for a missing header, 9004 for a runtime that fails, 9002 for any other failure to load an epoch. */
const epochError = (error: unknown): unknown => {
  if (!(error instanceof NodeError)) return error;
  const isRuntime = error.code === 'RuntimeTrap' || error.code === 'OutOfFuel';
  return isRuntime ? new RpcError(9004, error.message) : new RpcError(9002, 'Failed to fetch epoch data');
};

/** The epoch of the runtime's current slot, as a child of the best block would see it. */
const bestEpoch = async ({ chain }: Deps): Promise<BabeEpoch> => {
  const { hash } = chain.best();
  const parentHeader = await chain.loadHeader(hash);
  if (parentHeader === null)
    throw new RpcError(9001, `Failed to fetch the current best header: Header was not found: ${hash}`);
  try {
    const runtime = await chain.runtimeAt(hash);
    return await chain.withState(hash, (backend) => {
      const target = () => targetOf({ backend, runtime }, { fuel: 'small' });
      const start = babeCurrentEpochStart(target());
      const configuration = babeConfiguration(target());
      return createEpochLookup({ parentHeader, backend, runtime }, configuration)(start);
    });
  } catch (error) {
    throw epochError(error);
  }
};

export const babeMethods: Handlers<typeof table, Deps> = {
  babe_epochAuthorship: async (deps) => {
    const epoch = await bestEpoch(deps);
    try {
      const found = await epochAuthorship({ ...deps, yieldNow }, epoch);
      return Object.fromEntries(
        found.map(({ publicKey, primary, secondary, secondaryVrf }) => [
          ss58Encode(deps.crypto, publicKey, ss58Prefix),
          {
            primary: primary.map(Number),
            secondary: secondary.map(Number),
            secondary_vrf: secondaryVrf.map(Number),
          },
        ]),
      );
    } catch (error) {
      throw error instanceof NodeError ? new RpcError(9003, error.message) : error;
    }
  },
};
