import { afterAll, beforeAll } from 'vitest';
import { createMetaLoader } from '../../src/scale/load.ts';
import type { RuntimeMeta } from '../../src/scale/types.ts';
import { openPageNode } from '../../test/rigs/page-node.ts';

/** A real node for the tests of a file, with the metadata of its best block. Both exist once the tests run. */
export const useRealNode = () => {
  const real = {} as Awaited<ReturnType<typeof openPageNode>> & { meta: RuntimeMeta };
  beforeAll(async () => {
    Object.assign(real, await openPageNode());
    real.meta = await createMetaLoader(real).at(null);
  });
  afterAll(() => real.close());
  return real;
};
