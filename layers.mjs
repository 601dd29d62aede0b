/**
 * Who may import whom, the one list. `.dependency-cruiser.mjs` turns it into rules; `npm run check` applies them.
 * A folder of worker/ may import itself, src/protocol/ and what it lists, and a list names only folders above its own line.
 */
const base = ['bytes', 'codec', 'crypto'];

export const layers = {
  bytes: [],
  codec: ['bytes'],
  crypto: ['bytes'],
  db: ['bytes', 'codec'],
  trie: base,
  state: [...base, 'db', 'trie'],
  executor: [...base, 'trie', 'state'],
  keystore: [...base, 'db', 'executor'],
  chain: [...base, 'db', 'trie', 'state', 'executor'],
  pool: [...base, 'state', 'executor', 'chain'],
  author: [...base, 'db', 'state', 'executor', 'chain', 'pool'],
  consensus: [...base, 'db', 'state', 'executor', 'chain', 'author', 'keystore'],
  offchain: [...base, 'db', 'state', 'executor', 'chain', 'pool', 'keystore'],
  network: [...base, 'db', 'chain', 'pool'],
  dev: [...base, 'db', 'state', 'executor', 'keystore', 'chain', 'pool', 'author'],
  rpc: [
    ...base,
    'trie',
    'state',
    'executor',
    'chain',
    'pool',
    'author',
    'consensus',
    'keystore',
    'offchain',
    'network',
    'dev',
  ],
};

/** The folders beside worker/. `src` reaches the worker by URL only, never by an import. */
export const tops = { src: [], ui: ['src'], bridge: ['src'] };

/** Each vendor package lives in one folder (a path prefix, as a pattern); tests may use all of them. */
export const owners = {
  '@polkadot/(api|keyring|util|util-crypto)': 'bridge|ui|test|e2e|bench|examples|src/providers',
  '@noble': 'worker/crypto|ui/meta',
  '@scure': 'worker/crypto|src',
  '@polkadot-api': 'ui/meta',
  'polkadot-api': 'src/providers|test',
  comlink: 'src|worker/main|bridge',
  idb: 'worker/db|ui/chains',
  svelte: 'ui|vite.config',
  ws: 'bridge|e2e|bench',
};
