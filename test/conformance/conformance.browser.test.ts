import { describe, it } from 'vitest';
import type { Connection } from '../../src/connection.ts';
import { type NodeOptions, startNode, type TabNode } from '../../src/index.ts';
import { runConformance } from './suite.ts';
import type { Role, World } from './world.ts';

const settings: Readonly<Record<Role, NodeOptions>> = {
  open: { pool: { banSeconds: 0 } },
  denied: {},
  narrow: { pool: { limit: 1, banSeconds: 0 } },
  banning: { pool: { banSeconds: 1800 } },
};

const open = async (): Promise<World> => {
  const nodes: TabNode[] = [];
  const connections = new Map<Role, Promise<Connection>>();
  const start = async (role: Role): Promise<Connection> => {
    const node = await startNode({ seal: 'manual', finality: 'manual', ...settings[role] });
    nodes.push(node);
    return role === 'denied' ? node.connect({ denyUnsafe: true }) : node.connection;
  };
  return {
    connect: (role) => {
      const connection = connections.get(role) ?? start(role);
      connections.set(role, connection);
      return connection;
    },
    http: null,
    close: async () => {
      for (const node of nodes) await node.stop();
    },
  };
};

// Node.js has no Web Workers; it runs the same rows over WebSocket.
if ('document' in globalThis) runConformance('MessagePort', open);
else describe.skip('PSP-6 over MessagePort', () => it('runs in Chromium', () => undefined));
