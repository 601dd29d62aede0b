import { transfer, wrap } from 'comlink';
import type { StartInfo } from '../../src/protocol/node.ts';
import { nodeEndpoint } from '../../src/protocol/port.ts';
import { parseServeArguments, type ServeArguments } from '../cli/arguments.ts';
import type { Output } from '../cli/terminal.ts';
import { type NodeSource, openChainSource } from '../files/chain-source.ts';
import type { ServeControl, Served } from '../thread/serve-thread.ts';
import { bridgeEntry, createLife, spawnThread, unwrap } from '../thread/thread.ts';

const trustText = ({ trustBlocks }: ServeArguments): string =>
  trustBlocks ? '\n  --trust-blocks: the authors of incoming blocks are not checked' : '';

const baseText = ({ base }: StartInfo): string =>
  base === undefined ? '' : `, fork of block #${base.number} (${base.hash})`;

const readyText = ({ info, ws, http }: Served, args: ServeArguments): string =>
  `${info.chainName}: best block #${info.bestNumber}${baseText(info)}, genesis ${info.genesisHash}
  WebSocket  ${ws}
  HTTP       ${http}
  polkadot-js: connect to ${ws}/?dialect=polkadot-sdk (without it: ${args.dialect})${trustText(args)}
Ready; stop with Ctrl+C.`;

export const announce = (output: Output, served: Served, args: ServeArguments): void => {
  const { info, ws, http } = served;
  const { genesisHash, bestNumber, base } = info;
  if (args.json) output.line(JSON.stringify({ event: 'ready', ws, http, genesisHash, bestNumber, base }));
  else output.line(readyText(served, args));
};

/** Resolves at the first SIGINT or SIGTERM; rejects if the node dies first. */
const waitForEnd = (life: ReturnType<typeof createLife>): Promise<void> =>
  new Promise((resolve, reject) => {
    life.onDeath(reject);
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });

/** A JSON-RPC call of the node. Throws its errors. */
export type NodeCall = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** What moves to the thread of the node with the source of its chain. */
const portsOf = (chain: NodeSource['chain']): MessagePort[] => {
  const progress = typeof chain !== 'string' && 'fork' in chain ? chain.fork.progress : undefined;
  return progress === undefined ? [] : [progress];
};

/** What a command does besides serving. */
type Besides = {
  /** Before clients reach the node. */
  readonly beforeOpen?: (call: NodeCall) => Promise<void>;
  readonly beforeStop?: (call: NodeCall) => Promise<void>;
};

/**
 * Runs the node and its servers in one thread until a signal. `onReady` is called once they accept requests.
 */
export const serveUntilSignal = async (
  args: ServeArguments,
  onReady: (served: Served, call: NodeCall) => void,
  source: NodeSource | null = null,
  { beforeOpen, beforeStop }: Besides = {},
): Promise<void> => {
  const { chain, storage } = source ?? (await openChainSource(args));
  const {
    keys,
    seal,
    clock,
    finality,
    dialect,
    pool,
    offchain,
    rpcModules,
    rpc,
    log,
    blocksPruning,
    statePruning,
    mockSignatures,
    trustBlocks,
  } = args;
  const own = { keys, seal, clock, finality, dialect, pool, rpcModules, blocksPruning, mockSignatures };
  const config = { chain, storage, ...own, statePruning, trustBlocks, ...offchain };
  const thread = spawnThread(bridgeEntry('serve-thread'), {});
  const control = wrap<ServeControl>(nodeEndpoint(thread)) as unknown as ServeControl;
  const life = createLife(thread);
  try {
    const end = waitForEnd(life);
    const call: NodeCall = async (...request) => unwrap(await life.race(control.call(...request)));
    const info = unwrap(await life.race(control.start(transfer(config, portsOf(chain)), log)));
    await beforeOpen?.(call);
    const addresses = unwrap(await life.race(control.open({ dialect, rpc })));
    onReady({ info, ...addresses }, call);
    await end;
    await beforeStop?.(call);
  } finally {
    try {
      await life.finish(async () => void unwrap(await control.stop()));
    } finally {
      await thread.terminate();
    }
  }
};

/** `tabnode serve`. */
export const serve = async (argv: readonly string[], output: Output): Promise<void> => {
  const args = parseServeArguments(argv);
  await serveUntilSignal(args, (served) => announce(output, served, args));
};
