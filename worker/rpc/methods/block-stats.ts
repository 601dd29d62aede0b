import type { blockStats as table } from '../../../src/protocol/rpc/block-stats.ts';
import { blockStats } from '../block-stats.ts';
import { toBlockHash } from '../convert.ts';
import type { Handlers } from '../handlers.ts';
import type { RpcParts } from '../parts.ts';

export const blockStatsMethods: Handlers<typeof table, Pick<RpcParts, 'chain' | 'crypto'>> = {
  dev_getBlockStats: (deps, { block_hash }) => blockStats(deps, toBlockHash(block_hash)),
};
