import { shareNode } from '../../src/bridge/index.ts';
import { startNode } from '../../src/index.ts';

// In a project of your own: `from 'tabnode'`, `from 'tabnode/bridge'`.
export const node = await startNode({ seal: 'manual' });

// Tools and tests reach this node at ws://localhost:5173/tabnode, as long as Vite's dev server serves the page.
await shareNode(node);
