/**
 * Which folder may import which. `.dependency-cruiser.mjs` turns the list into rules, and `npm run check` applies them.
 * A folder of worker/ may import itself, src/protocol/ and the folders it lists, which are all above its own line.
 */
const base = ['bytes', 'codec', 'crypto'];

export const layers = {
  tasks: [],
  bytes: [],
  codec: ['bytes'],
  crypto: ['bytes'],
  db: ['bytes'],
  trie: ['bytes'],
  state: ['bytes', 'trie'],
  executor: [...base, 'trie', 'state'],
  keystore: ['bytes', 'crypto', 'db', 'executor'],
  chain: [...base, 'db', 'trie', 'state', 'executor', 'tasks'],
  pool: ['bytes', 'codec', 'db', 'executor', 'chain', 'tasks'],
  author: [...base, 'db', 'state', 'executor', 'chain', 'pool', 'tasks'],
  consensus: [...base, 'db', 'executor', 'chain', 'author', 'keystore', 'tasks'],
  offchain: [...base, 'db', 'state', 'executor', 'chain', 'pool'],
  network: ['crypto'],
  link: [...base, 'chain', 'consensus', 'tasks'],
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
    'tasks',
  ],
};

const chainState = ['meta', 'text', 'page', 'client', 'session', 'state'];
const components = [...chainState, 'parts', 'value'];

/** The folders of ui/, from the bottom up, under the same rule; any may import `src`. A panel imports no other panel. */
export const uiLayers = {
  meta: [],
  text: ['meta'],
  page: ['text'],
  client: ['text', 'page', 'panels.css'],
  session: ['meta', 'text', 'page', 'client'],
  state: ['meta', 'text', 'page', 'client', 'session', 'worker/crypto'],
  parts: chainState,
  value: [...chainState, 'parts'],
  'call-form': components,
  mcp: [...chainState, 'parts'],
  report: [...chainState, 'parts'],
  bridge: [...chainState, 'parts'],
  start: [...components, 'call-form'],
  'chain-menu': [...chainState, 'parts'],
  chain: [...components, 'start'],
  storage: components,
  rpc: [...components, 'call-form'],
  live: [...components, 'call-form'],
  send: components,
  runtime: components,
  node: [...components, 'mcp', 'report'],
  palette: [...chainState, 'parts', 'mcp', 'start', 'panels.ts'],
};

/** The folders next to worker/. `src` refers to the worker by URL only, never by an import. */
export const tops = {
  src: [],
  /** Keys have one implementation: the devtools sign with the crypto core, in an instance of their own. */
  ui: ['src', 'worker/crypto'],
  /**
   * `tabnode mcp` shares these parts of the devtools, which do not depend on a page, `tabnode key` the node's
   * cryptography, and files of blocks its codecs: each form has one parser.
   */
  bridge: [
    'src',
    'ui/mcp/tools',
    'ui/meta',
    'ui/state/transactions/keys.ts',
    'worker/bytes',
    'worker/codec',
    'worker/crypto',
    'worker/db/files.ts',
  ],
};

/** The folders of worker/, src/, ui/ and bridge/ that may import a vendor package, as a pattern. Tests may import any. */
export const owners = {
  '@modelcontextprotocol': 'bridge/mcp',
  '@polkadot/(api|keyring|util|util-crypto)': 'ui|src/providers',
  '@polkadot/types(-known|-support)?': 'ui/meta/historic',
  '@noble': 'ui/meta',
  '@scure': 'worker/crypto',
  '@substrate/ss58-registry': 'bridge/key',
  'smol-toml': 'bridge',
  '@polkadot-api': 'ui/meta',
  'polkadot-api': 'src/providers',
  comlink: 'src|worker/main|bridge',
  idb: 'worker/db|ui/session',
  svelte: 'ui',
  ws: 'bridge',
};
