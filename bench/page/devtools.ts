import type { Devtools } from '../../src/devtools.ts';
import { startNode } from '../../src/index.ts';
import { mountDevtools } from '../../ui/embed.ts';

/** What the bench asks of a page that has a node, with the devtools open or not. */
export type DevtoolsPage = {
  open(): void;
  close(): void;
  /** Back to the genesis block. */
  reset(): Promise<void>;
  /** Milliseconds of the import of each of these lines of `dev_exportChain`, one block after the other. */
  importBlocks(lines: readonly string[]): Promise<number[]>;
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
  importBlocks: async (lines) => {
    const all: number[] = [];
    for (const line of lines) {
      const from = performance.now();
      const { blocks } = await node.rpc.dev_importChain({ data: line });
      if (blocks !== 1) throw new Error('the block was passed over');
      all.push(performance.now() - from);
    }
    return all;
  },
};
Object.assign(globalThis, { devtoolsPage: page });
