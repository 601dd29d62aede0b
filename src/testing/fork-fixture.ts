import type { ForkOptions } from '../fork-source.ts';
import { NodeError } from '../protocol/errors.ts';
import { fromHex } from '../scale/hex.ts';
import type { NodeOptions, TabNode } from '../start.ts';
import { filesOf, loadFile, processOf } from './load-file.ts';

/** A fork as `startNode` takes it, or its pack as a file: a path from where the tests are run, or a URL. */
export type FixtureFork =
  | ForkOptions
  | {
      /** What `tabnode fork --save` has written, such as `new URL('./polkadot.pack', import.meta.url)`. */
      readonly pack: string | URL;
      /**
       * Nodes of the live chain, to read what the pack lacks. Default: none, so that tests need no network. With
       * `TABNODE_UPDATE_PACKS=1` in the environment, what the tests have read is added to the pack's file.
       */
      readonly endpoints?: readonly string[];
    };

/** The options of a node for tests. */
export type FixtureOptions = Omit<NodeOptions, 'fork'> & { readonly fork?: FixtureFork };

/** The file of the pack, null if the fork has none. */
const fileOf = (fork: FixtureFork | undefined): string | URL | null => {
  const { pack } = (fork ?? {}) as { readonly pack?: Uint8Array | string | URL };
  return typeof pack === 'string' || pack instanceof URL ? pack : null;
};

/** Adds what the tests have read to the file of their pack, if `TABNODE_UPDATE_PACKS` asks for it. */
export const updatePack = async ({ fork }: FixtureOptions, node: TabNode): Promise<void> => {
  const [file, files] = [fileOf(fork), filesOf()];
  if (!processOf()?.env?.['TABNODE_UPDATE_PACKS'] || file === null || files === undefined) return;
  // What the tests declared is not part of it.
  await node.rpc.dev_reset();
  await files.writeFile(file, fromHex(await node.rpc.dev_exportFork()));
};

/** The options with which the node is started. Rejects with `BadConfig` if the pack cannot be read. */
export const toNodeOptions = async ({ fork, ...options }: FixtureOptions): Promise<NodeOptions> => {
  if (fork === undefined) return options;
  const pack = fileOf(fork);
  if (pack === null) return { ...options, fork: fork as ForkOptions };
  const bytes = await loadFile(pack).catch((cause: unknown) => {
    throw new NodeError(
      'BadConfig',
      `fork: the pack ${String(pack)} cannot be read. Write it with: tabnode fork CHAIN --block NUMBER --save FILE`,
      { cause },
    );
  });
  return { ...options, fork: { ...fork, pack: bytes } as ForkOptions };
};

/** The name of the snapshot that each test starts from. */
export const fresh = 'tabnode:fresh';

/** Takes the snapshot that each test starts from. A node that cannot be prepared is stopped: no test would. */
export const prepareNode = async (
  node: TabNode,
  prepare: ((node: TabNode) => Promise<void>) | undefined,
): Promise<TabNode> => {
  try {
    await prepare?.(node);
    await node.snapshot(fresh);
    return node;
  } catch (error) {
    await node.stop();
    throw error;
  }
};
