import { writeFile } from 'node:fs/promises';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import { openClient, openNode, sealAll } from '../nodes.ts';
import { signTransfers } from '../signer.ts';

/** Writes a chain of blocks of transfers, as `dev_exportChain` does in the SDK's binary form. Returns its height. */
export const writeChainFile = async (file: string, blocks: number, transfers: number): Promise<number> => {
  const node = await openNode();
  const signed = (await signTransfers(node, blocks * transfers)).map(hexToBytes);
  for (let at = 0; at < signed.length; at += transfers) {
    for (const extrinsic of signed.slice(at, at + transfers)) await node.parts.pool.submit(extrinsic, 2);
    await sealAll(node);
  }
  const client = openClient(node);
  const last = node.parts.chain.best().number;
  await writeFile(file, hexToBytes((await client.request('dev_exportChain', ['binary', 1, last])) as string));
  client.close();
  await node.close();
  return last;
};
