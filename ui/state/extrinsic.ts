/** What can be told of an extrinsic without metadata: its envelope. */
export type ExtrinsicShape = {
  readonly kind: 'inherent' | 'signed' | 'general' | 'unknown';
  readonly version: number;
  /** Account id of the signer where the address is a plain 32-byte id. */
  readonly signer: string | null;
  readonly sizeBytes: number;
};

/** Public keys of the development phrase (substrate well-known keys), so that the eye finds Alice. */
const devAccounts: Readonly<Record<string, string>> = {
  '0xd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d': 'Alice',
  '0x8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48': 'Bob',
  '0x90b5ab205c6974c9ea841be688864633dc9ca8a357843eeacf2314649965fe22': 'Charlie',
  '0x306721211d5404bd9da88e0204360a1a9ab8b87c66c1bc2fcdd37f3c2222cc20': 'Dave',
  '0xe659a7a1628cdd93febc04a4e0646ea20e9f5f0ce097d9a05290d4a9e054df4e': 'Eve',
  '0x1cbd2d43530a44705ad088af313e18f80b53ef16b36177cd4b77b846f2a5f07c': 'Ferdie',
};

/** The development name of an account, if it has one. */
export const accountName = (id: string): string | null => devAccounts[id] ?? null;

const compactLength = (first: number): number =>
  (first & 3) === 0 ? 1 : (first & 3) === 1 ? 2 : (first & 3) === 2 ? 4 : 5 + (first >> 2);

/** Reads the envelope of a whole extrinsic (length prefix, version byte, address). */
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
