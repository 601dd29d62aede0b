/** The envelope of an extrinsic, which can be read without metadata. */
export type ExtrinsicShape = {
  readonly kind: 'inherent' | 'signed' | 'general' | 'unknown';
  readonly version: number;
  /** Account id of the signer; null if the address is not a plain 32-byte id. */
  readonly signer: string | null;
  readonly sizeBytes: number;
};

const compactLength = (first: number): number =>
  (first & 3) === 0 ? 1 : (first & 3) === 1 ? 2 : (first & 3) === 2 ? 4 : 5 + (first >> 2);

/** Parses the envelope of a whole extrinsic (length prefix, version byte, address). */
export const readShape = (hex: string): ExtrinsicShape => {
  const at = (index: number): number => Number.parseInt(hex.slice(2 + index * 2, 4 + index * 2), 16);
  const sizeBytes = (hex.length - 2) / 2;
  if (sizeBytes < 2) return { kind: 'unknown', version: 0, signer: null, sizeBytes };
  const start = compactLength(at(0));
  const lead = at(start);
  const version = lead & 0x3f;
  const kind = ({ 0: 'inherent', 2: 'signed', 1: 'general' } as const)[lead >> 6] ?? 'unknown';
  const plainId = kind === 'signed' && at(start + 1) === 0 && sizeBytes > start + 34;
  const signer = plainId ? `0x${hex.slice(2 + (start + 2) * 2, 2 + (start + 34) * 2)}` : null;
  return { kind, version, signer, sizeBytes };
};
