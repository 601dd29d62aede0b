import { NodeError } from '../../../src/protocol/errors.ts';
import type { RuntimeMeta } from '../../../src/scale/types.ts';
import { readUnit } from '../../kit/text/amount.ts';

/** The node's client, in the page or of the tools for agents. */
type Properties = {
  request(method: 'system_properties', params: readonly unknown[]): Promise<unknown>;
};

const extension = 'CheckMetadataHash';

/** Whether the runtime has the transaction extension that compares the metadata hash with its own. */
export const checksMetadataHash = ({ metadata }: RuntimeMeta): boolean =>
  (metadata.extrinsic.extensionsByVersion[0] ?? []).some(({ identifier }) => identifier === extension);

/** The metadata of a runtime is hashed once: that takes about 100 ms, and a forecast signs on each change. */
const hashes = new WeakMap<RuntimeMeta, Promise<string>>();

const compute = async (node: Properties, { encoded, version }: RuntimeMeta): Promise<string> => {
  if (encoded === null)
    throw new NodeError(
      'Unsupported',
      `The metadata hash needs metadata V15, and this runtime has V${version} only. Sign without the metadata hash.`,
    );
  const unit = readUnit(await node.request('system_properties', []));
  if (unit === null)
    throw new NodeError(
      'Unsupported',
      'The metadata hash covers the token, and this chain’s properties name none. Add tokenSymbol and tokenDecimals to its specification.',
    );
  const { hashMetadata } = await import('../../../src/scale/metadata-hash.ts');
  return hashMetadata(encoded, unit);
};

/** The hash of a runtime's metadata (RFC-78) as a 0x string of 32 bytes; rejects with NodeError `Unsupported`, or the node's error. */
export const loadMetadataHash = (node: Properties, meta: RuntimeMeta): Promise<string> => {
  const known = hashes.get(meta);
  if (known !== undefined) return known;
  const loading = compute(node, meta);
  hashes.set(meta, loading);
  // A failed attempt is not kept.
  loading.catch(() => hashes.delete(meta));
  return loading;
};

/**
 * Why the pool may refuse a transaction that covers the metadata hash, by the words of the refusal
 * (`takeValidityError`); null if it is not why.
 */
export const metadataHashHint = (refusal: string): string | null => {
  if (refusal.startsWith('CannotLookup'))
    return 'This runtime was built without a metadata hash, so it cannot check one. Turn the metadata hash off.';
  if (refusal.startsWith('BadProof'))
    return 'The runtime may have been built with another token symbol or other decimals than the chain’s properties have. Turn the metadata hash off.';
  return null;
};
