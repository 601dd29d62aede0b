import { afterAll, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { SharedClient } from '../src/bridge/channels.ts';
import { type LinkOptions, openLink, type SharedAddress } from '../src/bridge/link.ts';
import { startNodeInThread } from '../src/thread.ts';
import { type BridgeSettings, openBridge } from './open-bridge.ts';
import { toRpcSettings } from './rpc-settings.ts';

export const pageOrigin = 'http://127.0.0.1:5199';

/** Until the test file ends, WebSockets have the Origin of a page, as a browser adds it. */
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

/** A bridge on free ports, and what it told. */
export const startBridge = async (
  settings: Partial<BridgeSettings> = {},
  flags: Parameters<typeof toRpcSettings>[0] = {},
) => {
  const events: string[] = [];
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
      onRefused: (_origin, reason) => tell(`!${reason}`),
    },
  );
  onTestFinished(bridge.close);
  /** Resolves once the bridge has told this. */
  const told = async (text: string): Promise<void> => {
    while (!events.includes(text))
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  };
  const newCode = (): string => /code=(.+)$/.exec(bridge.newPairing())?.[1] ?? '';
  return { ...bridge, events, told, newCode };
};

/** One node for the tests of a file. */
export const sharedNode = () => {
  const starting = startNodeInThread({ seal: 'manual' });
  starting.catch(() => undefined);
  afterAll(async () => (await starting).stop());
  return starting;
};

type PageGiven = Pick<LinkOptions, 'url' | 'secret' | 'openPort'> & Partial<LinkOptions>;

/** A page that connects to a bridge. `ended` resolves to the code and reason of the end. */
export const openPage = (given: PageGiven) => {
  const serving = Promise.withResolvers<SharedAddress>();
  const ended = Promise.withResolvers<string>();
  const tokens: string[] = [];
  let clients: readonly SharedClient[] = [];
  serving.promise.catch(() => undefined);
  const link = openLink({
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
