import { parseServeArguments, type ServeArguments } from './arguments.ts';
import { openChainSource } from './chain-source.ts';
import { type FrontDoor, openFrontDoor } from './front-door.ts';
import { type NodeThread, startNodeThread } from './node-thread.ts';
import type { Output } from './output.ts';

const readyText = (node: NodeThread, door: FrontDoor, args: ServeArguments): string => {
  const { chainName, bestNumber, genesisHash } = node.info;
  return `${chainName}: best block #${bestNumber}, genesis ${genesisHash}
  WebSocket  ${door.ws}
  HTTP       ${door.http}
  polkadot-js: connect to ${door.ws}/?dialect=polkadot-sdk (without it: ${args.dialect})
Ready; stop with Ctrl+C.`;
};

const announce = (output: Output, node: NodeThread, door: FrontDoor, args: ServeArguments): void => {
  const { genesisHash, bestNumber } = node.info;
  if (args.json)
    output.line(JSON.stringify({ event: 'ready', ws: door.ws, http: door.http, genesisHash, bestNumber }));
  else output.line(readyText(node, door, args));
};

/** Resolves at the first SIGINT or SIGTERM; rejects when the node dies before. */
const waitForEnd = (node: NodeThread): Promise<void> =>
  new Promise((resolve, reject) => {
    node.onDeath(reject);
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });

/** `tabnode serve`: the node and its two doors, until a signal. Takes down in reverse; the node's database last. */
export const serve = async (argv: readonly string[], output: Output): Promise<void> => {
  const args = parseServeArguments(argv);
  const { chain, storage } = await openChainSource(args);
  const { keys, seal, clock, finality, dialect, pool, offchain, rpcModules } = args;
  const node = await startNodeThread({
    chain,
    storage,
    seal,
    clock,
    finality,
    dialect,
    keys,
    pool,
    ...offchain,
    rpcModules,
  });
  try {
    const end = waitForEnd(node);
    const door = await openFrontDoor(node, args);
    try {
      announce(output, node, door, args);
      await end;
    } finally {
      await door.close();
    }
  } finally {
    await node.stop();
  }
};
