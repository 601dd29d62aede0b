import { type ForkOptions, startNode } from '../../src/index.ts';

/** What a fork built: the state roots of its blocks, the fork in one file, and how much of the live chain it read. */
export type BuiltFork = {
  readonly roots: readonly string[];
  readonly pack: string;
  readonly requests: number;
};

/** The page's own functions, as the tests call them. */
export type ForkPage = {
  /** Opens a fork in memory, without keys, sets values (key, value), and builds two blocks. */
  fork(source: ForkOptions, values: readonly (readonly [string, string])[]): Promise<BuiltFork>;
  /** The same with a pack, as hex. */
  open(pack: string): Promise<BuiltFork>;
};

declare global {
  interface Window {
    forkPage: ForkPage;
  }
}

const toBytes = (hex: string): Uint8Array =>
  Uint8Array.from(hex.slice(2).match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

const fork: ForkPage['fork'] = async (source, values) => {
  const node = await startNode({ fork: source, seal: 'manual', keys: [] });
  if (values.length > 0) await node.rpc.dev_setStorage({ values });
  const roots: string[] = [];
  for (let block = 0; block < 2; block++) {
    const { hash } = await node.rpc.engine_createBlock({ create_empty: true, finalize: true });
    roots.push(String((await node.rpc.chain_getHeader({ hash }))?.stateRoot));
  }
  const pack = await node.rpc.dev_exportFork();
  const { fork: about } = await node.status();
  await node.stop();
  return { roots, pack, requests: about?.requests ?? -1 };
};

window.forkPage = { fork, open: (pack) => fork({ pack: toBytes(pack) }, []) };
