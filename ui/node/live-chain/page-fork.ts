import { toForkSource } from '../../../src/fork-source.ts';
import type { ForkProgress } from '../../../src/index.ts';
import type { ForkSource } from '../../../src/protocol/fork-source.ts';
import { pageEndpoint } from './page-endpoint.ts';

/** A fork that reads the live chain through sockets of the page, or begins with a pack. */
export const pageFork = (
  { endpoints, block, pack }: ForkSource,
  onProgress?: (progress: ForkProgress) => void,
): ForkSource =>
  toForkSource({
    endpoints: endpoints.map((one) => pageEndpoint(typeof one === 'string' ? one : one.name)),
    ...(block && { block }),
    ...(pack && { pack }),
    ...(onProgress && { onProgress }),
  });
