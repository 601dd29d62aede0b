import { writeFile } from 'node:fs/promises';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import type { Node } from '../../worker/node.ts';
import { openClient, openNode, sealAll } from '../nodes.ts';
import { signTransfers } from '../signer.ts';

/**
 * Seals these extrinsics in blocks of `size` and writes the node's chain, as `dev_exportChain` does in the SDK's
 * binary form. Returns its height.
 */
export const writeBlocks = async (
  node: Node,
  options: { readonly file: string; readonly size: number; readonly extrinsics: readonly Uint8Array[] },
): Promise<number> => {
  const { file, size, extrinsics } = options;
  for (let at = 0; at < extrinsics.length; at += size) {
    for (const extrinsic of extrinsics.slice(at, at + size)) await node.parts.pool.submit(extrinsic, 2);
    await sealAll(node);
  }
  const client = openClient(node);
  const last = node.parts.chain.best().number;
  await writeFile(file, hexToBytes((await client.request('dev_exportChain', ['binary', 1, last])) as string));
  client.close();
  return last;
};

/** Writes a chain of blocks of transfers on the development chain. Returns its height. */
export const writeChainFile = async (file: string, blocks: number, transfers: number): Promise<number> => {
  const node = await openNode();
  const extrinsics = (await signTransfers(node, blocks * transfers)).map(hexToBytes);
  const last = await writeBlocks(node, { file, size: transfers, extrinsics });
  await node.close();
  return last;
};
