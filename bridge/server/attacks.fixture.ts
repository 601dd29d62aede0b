import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import { openBridgeLink } from '../../src/bridge/link.ts';
import { parseServeArguments } from '../cli/arguments.ts';
import { parseBridgeArguments } from '../cli/bridge-arguments.ts';
import { testKey } from '../pages/bridge.fixture.ts';
import { openBridge } from '../pages/open-bridge.ts';
import { startIdleNode } from '../thread/node-thread.ts';
import { type OpenServers, openServers } from './open-servers.ts';

/** What a client talks to: the addresses of `tabnode serve`, or those of a bridge with a page behind it. */
export type Attacked = { readonly ws: string; readonly http: string };

const ports = ['--ws-port=0', '--rpc-port=0'] as const;
const none = (): void => undefined;

/** Both commands, with one node behind them; `serve` and `bridge` for `describe.each`. */
export const attacked = () => {
  let node: Awaited<ReturnType<typeof startIdleNode>>;
  const doors: Record<string, OpenServers> = {};
  beforeAll(async () => {
    node = await startIdleNode({ chain: 'development', storage: { kind: 'memory' } });
    doors['serve'] = await openServers(node.openPort, parseServeArguments(ports));
    const { dialect, rpc } = parseBridgeArguments(ports);
    const events = { onArrival: none, onLeave: none, onRefused: none };
    const bridge = await openBridge({ dialect, rpc, acceptFirst: false, key: testKey }, events);
    doors['bridge'] = bridge;
    const value = /code=(.+)$/.exec(bridge.newPairing())?.[1] ?? '';
    await new Promise((onServing) => {
      openBridgeLink({
        url: bridge.ws,
        secret: { kind: 'code', value },
        name: 'Development',
        genesisHash: node.info.genesisHash,
        tab: 'tab-1',
        openPort: node.openPort,
        allowsUnsafe: () => true,
        agree: async () => true,
        onServing,
        onClients: none,
        onEnd: none,
      });
    });
  });
  afterAll(async () => {
    for (const door of Object.values(doors)) await door.close();
    await node.stop();
  });
  return (command: string): Attacked => doors[command] as OpenServers;
};

/** A bare TCP connection to an address. */
export const openTcp = (address: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1', () => resolve(socket));
    socket.once('error', reject);
  });

/** What the server sends from now on until it ends the connection. */
export const untilEnd = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    socket.setEncoding('latin1').on('data', (part: string) => {
      text += part;
    });
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(text));
  });

/** What the server sends until it has sent this. */
export const untilSaid = (socket: Socket, part: string): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    const take = (data: Uint8Array): void => {
      text += new TextDecoder('latin1').decode(data);
      if (!text.includes(part)) return;
      socket.off('data', take);
      resolve(text);
    };
    socket.on('data', take);
  });

/** The head of a request for a WebSocket. */
export const upgradeHead = (...headers: readonly string[]): string =>
  [
    'GET / HTTP/1.1',
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
    '\r\n',
  ].join('\r\n');
