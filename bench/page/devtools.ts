import type { Devtools } from '../../src/devtools.ts';
import { startNode } from '../../src/index.ts';
import { mountDevtools } from '../../ui/embed.ts';

/** What the bench uses of a page that has a node, with the devtools open or closed. */
export type DevtoolsPage = {
  open(): void;
  close(): void;
  /** Resets the chain to genesis. */
  reset(): Promise<void>;
  /** Milliseconds to import these lines of `dev_exportChain`, `count` blocks, in one call. */
  importBlocks(data: string, count: number): Promise<number>;
};

const element = document.querySelector<HTMLElement>('#devtools');
if (element === null) throw new Error('no element');
element.style.height = '90vh';
const node = await startNode({ chain: 'development', seal: 'manual', dialect: 'polkadot-sdk', keys: [] });
let devtools: Devtools | null = null;

const page: DevtoolsPage = {
  open: () => {
    devtools = mountDevtools(element, node);
  },
  close: () => {
    devtools?.close();
    devtools = null;
  },
  reset: async () => {
    await node.rpc.dev_reset();
  },
  importBlocks: async (data, count) => {
    const from = performance.now();
    const { blocks } = await node.rpc.dev_importChain({ data });
    if (blocks !== count) throw new Error(`${blocks} of ${count} blocks were imported`);
    return performance.now() - from;
  },
};
Object.assign(globalThis, { devtoolsPage: page });
