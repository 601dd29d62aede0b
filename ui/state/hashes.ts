/** Hashes of whole extrinsics (blake2-256 of the bytes with their length prefix); the hash code loads when first used. */
export const loadExtrinsicHashes = async (extrinsics: readonly string[]): Promise<readonly string[]> => {
  const { extrinsicHash } = await import('../meta/hash.ts');
  return extrinsics.map(extrinsicHash);
};
