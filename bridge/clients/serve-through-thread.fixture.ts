// `tabnode serve` with the servers of a bridge. The node connects to the bridge as the node of a page would.
// With TABNODE_THROUGH=thread the tests of `serve` run against it (test-process.fixture.ts).
import { WebSocket } from 'ws';
import { openBridgeLink } from '../../src/bridge/link.ts';
import { parseServeArguments } from '../cli/arguments.ts';
import { processOutput } from '../cli/terminal.ts';
import { openChainSource } from '../files/chain-source.ts';
import { openBridge } from '../pages/open-bridge.ts';
import { startNodeThread } from '../thread/node-thread.ts';

class PageSocket extends WebSocket {
  constructor(url: string, protocol: string) {
    super(url, protocol, { origin: 'http://localhost' });
  }
}
Object.assign(globalThis, { WebSocket: PageSocket });

const run = async (argv: readonly string[]): Promise<void> => {
  const args = parseServeArguments(argv);
  const { dialect, rpc, keys, seal, clock, finality, pool, offchain } = args;
  const { rpcModules, blocksPruning, statePruning, mockSignatures, trustBlocks } = args;
  const own = { keys, seal, clock, finality, dialect, pool, rpcModules, blocksPruning, mockSignatures };
  const node = await startNodeThread({
    ...(await openChainSource(args)),
    ...own,
    statePruning,
    trustBlocks,
    ...offchain,
  });
  const none = (): void => undefined;
  const events = { onArrival: none, onLeave: none, onRefused: none };
  const key = new Uint8Array(32);
  const bridge = await openBridge({ dialect, rpc, acceptFirst: false, key }, events);
  const { ws, http } = bridge;
  const { genesisHash, bestNumber, chainName } = node.info;
  const link = openBridgeLink({
    url: ws.replace('0.0.0.0', '127.0.0.1'),
    secret: { kind: 'code', value: /code=(.+)$/.exec(bridge.newPairing())?.[1] ?? '' },
    name: chainName,
    genesisHash,
    tab: 'fixture',
    openPort: (options) => node.openPort(options),
    allowsUnsafe: () => true,
    agree: async () => true,
    onServing: () =>
      processOutput.line(JSON.stringify({ event: 'ready', ws, http, genesisHash, bestNumber })),
    onClients: none,
    onEnd: none,
  });
  await new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  link.close(true);
  await bridge.close();
  await node.stop();
  process.exit(0);
};

run(process.argv.slice(3)).catch((error: unknown) => {
  processOutput.error(error, process.argv.includes('--json'));
  process.exit(1);
});
