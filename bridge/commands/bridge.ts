import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { NodeError } from '../../src/protocol/errors.ts';
import { type BridgeArguments, parseBridgeArguments } from '../cli/bridge-arguments.ts';
import { notice, type Output, openInBrowser } from '../cli/terminal.ts';
import { defaultBasePath } from '../files/chain-source.ts';
import { createFolder } from '../files/new-file.ts';
import { type BridgedNode, type BridgeEvents, openBridge } from '../pages/open-bridge.ts';
import { createPageServer, type PageServer } from '../pages/page-server.ts';
import { loadBridgeKey } from '../pages/pairing.ts';

const lossText = 'The key of this bridge cannot be stored: pages have to be paired again after a restart.';

const loadKey = async ({ basePath }: BridgeArguments) => {
  const folder = basePath ?? defaultBasePath();
  // If the folder cannot be created, the key is not saved.
  await createFolder(folder).catch(() => undefined);
  return loadBridgeKey(join(folder, 'bridge-key'));
};

/** Prints the events of pages. */
const createEvents = (output: Output, json: boolean): BridgeEvents => {
  const event = (name: string, value: object): void => output.line(JSON.stringify({ event: name, ...value }));
  return {
    onArrival: (node: BridgedNode) => {
      if (json) event('connected', node);
      else output.line(`${node.name} is connected:  ${node.ws}  ${node.http}`);
    },
    onLeave: (node) => {
      if (json) event('disconnected', { name: node.name });
      else output.line(`${node.name} is disconnected. It reconnects when its page is open again.`);
    },
    onRefused: (origin, reason) => {
      if (json) event('refused', { origin, reason });
      else output.line(`A page of ${origin} was not connected: ${reason || 'it left'}.`);
    },
  };
};

const listenOn = async (server: PageServer, port: number): Promise<string> => {
  try {
    return await server.listen({ host: '127.0.0.1', port });
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    const hint = `If the devtools are served there already, use --page http://127.0.0.1:${port}/`;
    throw new NodeError(error.code, `${error.message}. ${hint}`, { cause: error });
  }
};

const readyText = (ws: string, http: string, pairing: string): string => `Ready, no page is connected yet.
  WebSocket  ${ws}
  HTTP       ${http}
Open this address in your browser to connect the chain of its page (works once, for 10 minutes):
  ${pairing}
Enter prints another address; Ctrl+C stops the bridge.`;

/** Resolves at the first SIGINT or SIGTERM. */
const waitForEnd = (): Promise<void> =>
  new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });

/** Calls back for each line entered on a terminal. */
const onEnter = (callback: () => void): (() => void) => {
  if (!process.stdin.isTTY) return () => undefined;
  const lines = createInterface({ input: process.stdin });
  lines.on('line', callback);
  // readline handles Ctrl+C itself and does not pass it on to the process.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  return () => lines.close();
};

/** `tabnode bridge`: serves the nodes of pages on this machine until a signal. */
export const bridge = async (argv: readonly string[], output: Output): Promise<void> => {
  const args = parseBridgeArguments(argv);
  const { dialect, rpc, acceptFirst, json } = args;
  const end = waitForEnd();
  const { key, isKept, wasOpen } = await loadKey(args);
  if (wasOpen)
    notice('The key of this bridge could be read by other users of this machine; now only you can.', json);
  const bridge = await openBridge({ dialect, rpc, acceptFirst, key }, createEvents(output, json));
  const cleanups: (() => unknown)[] = [bridge.close];
  try {
    let page = args.page;
    if (page === null) {
      const server = await createPageServer();
      cleanups.push(server.close);
      page = await listenOn(server, args.pagePort);
    }
    const newAddress = (): string => `${page}#${bridge.newPairing()}`;
    const pairing = newAddress();
    const { ws, http } = bridge;
    if (json)
      output.line(JSON.stringify({ event: 'ready', ws, http, genesisHash: null, bestNumber: null, pairing }));
    else output.line(readyText(ws, http, pairing));
    if (!isKept && !json) output.line(lossText);
    if (args.open) openInBrowser(pairing);
    cleanups.push(onEnter(() => output.line(newAddress())));
    await end;
  } finally {
    for (const clean of cleanups.reverse()) await clean();
  }
};
