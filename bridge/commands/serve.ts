import { transfer, wrap } from 'comlink';
import { NodeError } from '../../src/protocol/errors.ts';
import type { NodeConfig, NodeStatus, StartInfo } from '../../src/protocol/node.ts';
import { nodeEndpoint } from '../../src/protocol/port.ts';
import { parseServeArguments, type ServeArguments } from '../cli/arguments.ts';
import { toNetworkConfig } from '../cli/network-arguments.ts';
import { forTerminal, notice, type Output } from '../cli/terminal.ts';
import { type NodeSource, openChainSource } from '../files/chain-source.ts';
import { readNodeKey } from '../network/node-key.ts';
import { reportPeers } from '../network/report-peers.ts';
import type { ServeControl, Served } from '../thread/serve-thread.ts';
import { bridgeEntry, createLife, spawnThread, unwrap } from '../thread/thread.ts';

const trustText = ({ trustBlocks }: ServeArguments): string =>
  trustBlocks ? '\n  --trust-blocks: the authors of incoming blocks are not checked' : '';

const baseText = ({ base }: StartInfo): string =>
  base === undefined ? '' : `, fork of block #${base.number} (${base.hash})`;

/** polkadot-js expects the SDK's responses, which a connection may select if the node's own are others. */
const clientText = (ws: string, dialect: ServeArguments['dialect']): string =>
  dialect === 'polkadot-sdk'
    ? `connect to ${ws}`
    : `connect to ${ws}/?dialect=polkadot-sdk (without it: ${dialect})`;

/** What other nodes are given as `--bootnodes`. */
const peersText = ({ peerId, addresses }: Served): string => {
  if (peerId === null) return '';
  const lines = addresses.length === 0 ? [`peer id ${peerId}`] : addresses;
  return lines.map((line) => `\n  Network    ${line}`).join('');
};

const readyText = (served: Served, args: ServeArguments): string => {
  const { info, ws, http } = served;
  return `${forTerminal(info.chainName)}: best block #${info.bestNumber}${baseText(info)}, genesis ${info.genesisHash}
  WebSocket  ${ws}
  HTTP       ${http}${peersText(served)}
  polkadot-js: ${clientText(ws, args.dialect)}${trustText(args)}
Ready; stop with Ctrl+C.`;
};

export const announce = (output: Output, served: Served, args: ServeArguments): void => {
  const { info, ws, http, addresses } = served;
  const { genesisHash, bestNumber, base } = info;
  const network = served.peerId === null ? {} : { peerId: served.peerId, addresses };
  if (args.json)
    output.line(JSON.stringify({ event: 'ready', ws, http, genesisHash, bestNumber, base, ...network }));
  else output.line(readyText(served, args));
};

/** A JSON-RPC call of the node. Throws its errors. */
export type NodeCall = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** What moves to the thread of the node with the source of its chain. */
const portsOf = (chain: NodeSource['chain']): MessagePort[] => {
  const progress = typeof chain !== 'string' && 'fork' in chain ? chain.fork.progress : undefined;
  return progress === undefined ? [] : [progress];
};

/** The port was moved to the thread that has ended. */
const withoutProgress = (chain: NodeSource['chain']): NodeSource['chain'] =>
  typeof chain !== 'string' && 'fork' in chain ? { fork: { ...chain.fork, progress: undefined } } : chain;

/** A node and its servers in a thread of their own. */
export type Serving = {
  readonly served: Served;
  readonly call: NodeCall;
  /** The callback is called once if the thread ends unexpectedly. */
  onDeath(callback: (error: NodeError) => void): void;
  /** Closes the servers, then the node's database, and ends the thread. */
  stop(): Promise<void>;
};

/** The configuration of a node with these arguments. */
export const toConfig = (
  args: ServeArguments,
  { chain, storage }: NodeSource,
  nodeKey: string | null = null,
): NodeConfig => {
  const { keys, seal, clock, finality, dialect, pool, offchain } = args;
  const {
    rpcModules,
    blocksPruning,
    statePruning,
    mockSignatures,
    trustBlocks,
    likeChopsticks = false,
  } = args;
  const own = { keys, seal, clock, finality, dialect, pool, rpcModules, blocksPruning, mockSignatures };
  const network = args.network === undefined ? {} : toNetworkConfig(args.network, nodeKey);
  return { chain, storage, ...own, statePruning, trustBlocks, likeChopsticks, ...offchain, ...network };
};

/** Lets `beforeOpen` change the node, which may move its head and the base of a fork. */
const change = async (
  info: StartInfo,
  call: NodeCall,
  beforeOpen: (call: NodeCall) => Promise<void>,
): Promise<StartInfo> => {
  await beforeOpen(call);
  const { bestNumber, bestHash, finalizedNumber, base } = (await call('dev_status', [])) as NodeStatus;
  return { ...info, bestNumber, bestHash, finalizedNumber, ...(base === undefined ? {} : { base }) };
};

/** Starts a node, lets `beforeOpen` change it before clients reach it, and serves it. Throws the errors of all three. */
export const startServing = async (
  args: ServeArguments,
  source: NodeSource,
  beforeOpen?: (call: NodeCall) => Promise<void>,
): Promise<Serving> => {
  const { dialect, rpc, log } = args;
  const thread = spawnThread(bridgeEntry('serve-thread'), {});
  const control = wrap<ServeControl>(nodeEndpoint(thread)) as unknown as ServeControl;
  const life = createLife(thread);
  const stop = async (): Promise<void> => {
    try {
      await life.finish(async () => void unwrap(await control.stop()));
    } finally {
      await thread.terminate();
    }
  };
  const call: NodeCall = async (...request) => unwrap(await life.race(control.call(...request)));
  try {
    const nodeKey = await readNodeKey(args.network?.nodeKey ?? null, source.storage);
    const config = toConfig(args, source, nodeKey);
    const info = unwrap(await life.race(control.start(transfer(config, portsOf(source.chain)), log)));
    const changed = beforeOpen === undefined ? info : await change(info, call, beforeOpen);
    const listen = args.network?.listen ?? [];
    const addresses = unwrap(await life.race(control.open({ dialect, rpc, listen })));
    return { served: { info: changed, ...addresses }, call, onDeath: life.onDeath, stop };
  } catch (error) {
    await stop();
    const { fallback } = source;
    const isTaken = error instanceof NodeError && error.code === 'ChainInUse';
    if (!isTaken || fallback === undefined) throw error;
    notice('Another process runs the stored chain; this one keeps its blocks in memory', args.json);
    return startServing(args, { chain: withoutProgress(source.chain), storage: fallback }, beforeOpen);
  }
};

/** What a command does besides serving. */
type Besides = {
  /** Before clients reach the node. */
  readonly beforeOpen?: (call: NodeCall) => Promise<void>;
  readonly beforeStop?: (call: NodeCall) => Promise<void>;
};

/** Flags of a node that takes part in no network. */
const warnUnused = ({ network, json }: ServeArguments): void => {
  const unused = network?.unused.map((flag) => `--${flag}`) ?? [];
  if (unused.length === 0) return;
  const how = 'add --network, --listen-addr, --bootnodes or --reserved-nodes';
  notice(`Without effect, as the node takes part in no network: ${unused.join(', ')}; ${how}`, json);
};

/** Resolves at the first SIGINT or SIGTERM. */
const nextSignal = (): Promise<void> =>
  new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });

const death = ({ onDeath }: Pick<Serving, 'onDeath'>): Promise<never> =>
  new Promise((_, reject) => onDeath(reject));

/**
 * Runs the node and its servers in one thread until a signal. `onReady` is called once they accept requests.
 */
export const serveUntilSignal = async (
  args: ServeArguments,
  onReady: (served: Served, call: NodeCall) => void,
  source: NodeSource | null = null,
  { beforeOpen, beforeStop }: Besides = {},
): Promise<void> => {
  warnUnused(args);
  const from = source ?? (await openChainSource(args));
  // A signal during the start ends the node after it, so that nothing is cut short.
  const signal = nextSignal();
  const serving = await startServing(args, from, beforeOpen);
  let endReport: (() => void) | null = null;
  try {
    const end = Promise.race([signal, death(serving)]);
    onReady(serving.served, serving.call);
    if (serving.served.peerId !== null)
      endReport = reportPeers(serving.call, (text) => notice(text, args.json));
    await end;
    await beforeStop?.(serving.call);
  } finally {
    endReport?.();
    await serving.stop();
  }
};

/** `tabnode serve`. */
export const serve = async (argv: readonly string[], output: Output): Promise<void> => {
  const args = parseServeArguments(argv);
  await serveUntilSignal(args, (served) => announce(output, served, args));
};
