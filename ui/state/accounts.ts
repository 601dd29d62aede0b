/** An account that this page can name. */
export type KnownAccount = {
  readonly name: string;
  /** 32 bytes as 0x text. */
  readonly id: string;
  /** Where its key comes from: a development phrase, or only a name for an address. */
  readonly suri: string | null;
};

/** Public keys of the development phrase (sp_keyring::Sr25519Keyring). */
export const devAccounts: readonly KnownAccount[] = [
  ['Alice', '0xd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d'],
  ['Bob', '0x8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48'],
  ['Charlie', '0x90b5ab205c6974c9ea841be688864633dc9ca8a357843eeacf2314649965fe22'],
  ['Dave', '0x306721211d5404bd9da88e0204360a1a9ab8b87c66c1bc2fcdd37f3c2222cc20'],
  ['Eve', '0xe659a7a1628cdd93febc04a4e0646ea20e9f5f0ce097d9a05290d4a9e054df4e'],
  ['Ferdie', '0x1cbd2d43530a44705ad088af313e18f80b53ef16b36177cd4b77b846f2a5f07c'],
].map(([name = '', id = '']) => ({ name, id, suri: `//${name}` }));
