import type { BlockHash } from '../../worker/codec/identity.ts';
import type { Node } from '../../worker/node.ts';

/** Seals a block, even an empty one, on a parent or on the best block; throws if it is refused. */
export const sealOn = async ({ parts }: Node, parent?: BlockHash): Promise<BlockHash> => {
  const options = { createEmpty: true, finalize: false, ...(parent === undefined ? {} : { parent }) };
  const sealed = await parts.author.seal(options);
  if (!sealed.ok) throw new Error(sealed.message);
  return sealed.hash;
};
