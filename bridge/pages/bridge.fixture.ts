import { afterAll, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { SharedClient } from '../../src/bridge/channels.ts';
import { type BridgeLinkOptions, openBridgeLink, type SharedAddress } from '../../src/bridge/link.ts';
import { startNodeInThread } from '../../src/thread.ts';
import { toRpcSettings } from '../cli/rpc-settings.ts';
import { type BridgeSettings, openBridge } from './open-bridge.ts';

export const pageOrigin = 'http://127.0.0.1:5199';

/** Sends the Origin header of a page with every WebSocket, as a browser does, until the test file ends. */
export const withOrigin = (origin = pageOrigin): void => {
  vi.stubGlobal(
    'WebSocket',
    class extends WebSocket {
      constructor(url: string, protocol: string) {
        super(url, protocol, { origin });
      }
    },
  );
};

export const testKey = new Uint8Array(32).fill(7);

/** A bridge on free ports that records its events. */
export const startBridge = async (
  settings: Partial<BridgeSettings> = {},
  flags: Parameters<typeof toRpcSettings>[0] = {},
) => {
  const events: string[] = [];
  /** Of the pages that were refused. */
  const origins: string[] = [];
  let wake = (): void => undefined;
  const tell = (text: string): void => {
    events.push(text);
    wake();
  };
  const rpc = toRpcSettings({ 'ws-port': '0', 'rpc-port': '0', ...flags }, 'psp-6');
  const bridge = await openBridge(
    { dialect: 'psp-6', rpc, acceptFirst: false, key: testKey, ...settings },
    {
      onArrival: ({ name }) => tell(`+${name}`),
      onLeave: ({ name }) => tell(`-${name}`),
      onRefused: (origin, reason) => {
        origins.push(origin);
        tell(`!${reason}`);
      },
    },
  );
  onTestFinished(bridge.close);
  /** Resolves once the bridge has recorded this event. */
  const told = async (text: string): Promise<void> => {
    while (!events.includes(text))
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  };
  const newCode = (): string => /code=(.+)$/.exec(bridge.newPairing())?.[1] ?? '';
  return { ...bridge, events, origins, told, newCode };
};

/** One node shared by the tests of a file. */
export const sharedNode = () => {
  const starting = startNodeInThread({ seal: 'manual' });
  starting.catch(() => undefined);
  afterAll(async () => (await starting).stop());
  return starting;
};

type PageGiven = Pick<BridgeLinkOptions, 'url' | 'secret' | 'openPort'> & Partial<BridgeLinkOptions>;

/** A page that connects to a bridge. `ended` resolves to the code and reason of the close. */
export const openPage = (given: PageGiven) => {
  const serving = Promise.withResolvers<SharedAddress>();
  const ended = Promise.withResolvers<string>();
  const tokens: string[] = [];
  let clients: readonly SharedClient[] = [];
  serving.promise.catch(() => undefined);
  const link = openBridgeLink({
    name: 'Development',
    genesisHash: `0x${'00'.repeat(32)}`,
    tab: 'tab-1',
    allowsUnsafe: () => true,
    agree: async ({ token }) => tokens.push(token) > 0,
    onServing: serving.resolve,
    onClients: (now) => {
      clients = now;
    },
    onEnd: (code, reason) => {
      ended.resolve(`${code} ${reason}`);
      serving.reject(new Error(`${code} ${reason}`));
    },
    ...given,
  });
  onTestFinished(() => link.close(true));
  return { link, serving: serving.promise, ended: ended.promise, tokens, clients: () => clients };
};
