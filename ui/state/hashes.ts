/** Hashes of whole extrinsics (blake2-256 of the bytes with their length prefix); the hash code loads when first used. */
export const loadExtrinsicHashes = async (extrinsics: readonly string[]): Promise<readonly string[]> => {
  const { blake2AsHex } = await import('@polkadot/util-crypto/blake2');
  return extrinsics.map((hex) => blake2AsHex(hex, 256));
};
