import type { ForkOptions } from '../fork-source.ts';
import { NodeError } from '../protocol/errors.ts';
import type { NodeOptions, TabNode } from '../start.ts';

/** A fork as `startNode` takes it, or its pack as a file: a path from where the tests are run, or a URL. */
export type FixtureFork =
  | ForkOptions
  | {
      /** What `tabnode fork --save` has written, such as `new URL('./polkadot.pack', import.meta.url)`. */
      readonly pack: string | URL;
      /** Nodes of the live chain, to read what the pack lacks. Default: none, so that tests need no network. */
      readonly endpoints?: readonly string[];
    };

/** The options of a node for tests. */
export type FixtureOptions = Omit<NodeOptions, 'fork'> & { readonly fork?: FixtureFork };

/** The part of `node:fs/promises` that is used; this folder is type-checked without Node.js. */
type Files = { readFile(file: string | URL): Promise<Uint8Array> };
type Process = { getBuiltinModule(name: string): unknown };

const isFile = (file: string | URL): boolean =>
  file instanceof URL ? file.protocol === 'file:' : !/^https?:/.test(file);

const loadFile = async (file: string | URL): Promise<Uint8Array> => {
  const { process } = globalThis as { readonly process?: Partial<Process> };
  if (isFile(file) && process?.getBuiltinModule !== undefined) {
    const { readFile } = process.getBuiltinModule('node:fs/promises') as Files;
    // The bytes alone: those of a small file are a part of a buffer that others use.
    return Uint8Array.from(await readFile(file));
  }
  const response = await globalThis.fetch(file);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
};

/** The options with which the node is started. Rejects with `BadConfig` if the pack cannot be read. */
export const toNodeOptions = async ({ fork, ...options }: FixtureOptions): Promise<NodeOptions> => {
  if (fork === undefined) return options;
  const { pack } = fork as { readonly pack?: Uint8Array | string | URL };
  if (!(typeof pack === 'string' || pack instanceof URL)) return { ...options, fork: fork as ForkOptions };
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
