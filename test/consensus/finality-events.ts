import type { DevNode } from '../rigs/dev-node.ts';

/** Resolves when a block of this height is final. */
export const final = ({ node }: DevNode, height: number): Promise<void> =>
  new Promise((resolve) => {
    const { chain } = node.parts;
    if (chain.finalized().number >= height) return resolve();
    const off = chain.onEvent((event) => {
      if (event.kind !== 'finalized' || event.number < height) return;
      off();
      resolve();
    });
  });
