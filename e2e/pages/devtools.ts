import type { Devtools } from '../../src/devtools.ts';
import { startNode } from '../../src/index.ts';
import { mountDevtools, mountDevtoolsButton } from '../../ui/embed.ts';

/** The page's own functions, as called by the tests. */
export type DevtoolsPage = {
  mount(width?: number): void;
  mountTwice(): string;
  close(): void;
  stop(): Promise<void>;
  best(): Promise<number>;
};

declare global {
  interface Window {
    devtoolsPage: DevtoolsPage;
  }
}

const node = await startNode({ chain: 'development', storage: { kind: 'memory' } });
let devtools: Devtools = mountDevtoolsButton(node, { corner: 'bottom-left' });

window.devtoolsPage = {
  mount: (width) => {
    const element = document.querySelector<HTMLElement>('#devtools');
    if (element === null) throw new TypeError('no element');
    element.style.height = '500px';
    if (width !== undefined) element.style.width = `${width}px`;
    devtools.close();
    devtools = mountDevtools(element, node);
  },
  mountTwice: () => {
    try {
      mountDevtoolsButton(node);
      return 'mounted';
    } catch (error) {
      return String(error);
    }
  },
  close: () => devtools.close(),
  stop: () => node.stop(),
  best: async () => Number((await node.rpc.chain_getHeader())?.number),
};
