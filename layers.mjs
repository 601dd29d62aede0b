/**
 * Who may import whom, the one list. `.dependency-cruiser.mjs` turns it into rules; `npm run check` applies them.
 * A folder of worker/ may import itself, src/protocol/ and what it lists, and a list names only folders above its own line.
 */
const base = ['bytes', 'codec', 'crypto'];

export const layers = {
  bytes: [],
  codec: ['bytes'],
  crypto: ['bytes'],
  db: ['bytes'],
  trie: ['bytes'],
  state: ['bytes', 'trie'],
  executor: [...base, 'trie', 'state'],
  keystore: ['bytes', 'crypto', 'db', 'executor'],
  chain: [...base, 'db', 'trie', 'state', 'executor'],
  pool: ['bytes', 'codec', 'executor', 'chain'],
  author: [...base, 'db', 'state', 'executor', 'chain', 'pool'],
  consensus: [...base, 'db', 'executor', 'chain', 'author', 'keystore'],
  offchain: [...base, 'db', 'state', 'executor', 'chain', 'pool'],
  network: ['crypto'],
  dev: [...base, 'db', 'executor', 'keystore', 'chain', 'pool', 'author'],
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
export const tops = {
  src: [],
  ui: ['src'],
  /** The tools for agents, with metadata and development keys of the devtools, know nothing of a page: `tabnode mcp` has the same. */
  bridge: ['src', 'ui/mcp/tools', 'ui/meta', 'ui/send/keys.ts'],
};

/** The one folder of worker/, src/, ui/ or bridge/ where a vendor package lives (a pattern); tests may use all of them. */
export const owners = {
  '@modelcontextprotocol': 'bridge/mcp',
  '@polkadot/(api|keyring|util|util-crypto)': 'ui|src/providers',
  '@noble': 'ui/meta',
  '@scure': 'worker/crypto',
  '@polkadot-api': 'ui/meta',
  'polkadot-api': 'src/providers',
  comlink: 'src|worker/main|bridge',
  idb: 'worker/db|ui/chains',
  svelte: 'ui',
  ws: 'bridge',
};
