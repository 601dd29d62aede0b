/**
 * Hashes of whole extrinsics (BLAKE2b-256 of the bytes with their length prefix); the hash code loads on
 * first use.
 */
export const loadExtrinsicHashes = async (extrinsics: readonly string[]): Promise<readonly string[]> => {
  const { extrinsicHash } = await import('../../src/scale/hash.ts');
  return extrinsics.map(extrinsicHash);
};
