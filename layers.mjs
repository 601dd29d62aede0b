import { readdirSync } from 'node:fs';

/**
 * Which folder may import which. `.dependency-cruiser.mjs` turns the lists into rules, and `npm run check` applies them.
 * A folder of worker/ may import itself, src/protocol/ and what it lists: the folders of src/ by their path, and those of
 * worker/, which are all above its own line. A key with two names is a folder in a folder: its list adds which of its
 * siblings it may import, and there the name of the folder above means the files that lie in that folder itself.
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
  chain: [...base, 'tasks', 'db', 'trie', 'state', 'executor'],
  'chain/states': ['chain'],
  'chain/genesis': ['chain', 'chain/states'],
  'chain/import': ['chain', 'chain/states', 'chain/genesis'],
  'chain/dev': ['chain', 'chain/states', 'chain/genesis', 'chain/import'],
  'chain/repair': ['chain', 'chain/states', 'chain/genesis', 'chain/dev'],
  origin: [...base, 'tasks', 'trie', 'state', 'chain'],
  pool: ['bytes', 'codec', 'tasks', 'db', 'state', 'executor', 'chain'],
  author: [...base, 'tasks', 'db', 'state', 'executor', 'chain', 'pool'],
  consensus: [...base, 'tasks', 'db', 'executor', 'chain', 'author', 'keystore'],
  'consensus/aura': ['consensus'],
  'consensus/babe': ['consensus'],
  'consensus/instant': ['consensus'],
  'consensus/grandpa': ['consensus'],
  'consensus/grandpa/voter': ['consensus', 'consensus/grandpa'],
  offchain: [...base, 'db', 'state', 'executor', 'chain', 'pool'],
  network: [...base, 'tasks', 'db', 'trie', 'state', 'keystore', 'chain', 'pool', 'consensus'],
  'network/transport': [],
  'network/protocol': ['network/transport'],
  'network/peers': ['network', 'network/protocol', 'network/transport'],
  'network/links': ['network', 'network/peers', 'network/protocol', 'network/transport'],
  'network/sync': ['network', 'network/protocol'],
  'network/light': ['network', 'network/transport'],
  dev: [
    ...base,
    'tasks',
    'db',
    'trie',
    'state',
    'executor',
    'keystore',
    'chain',
    'pool',
    'author',
    'src/scale',
  ],
  fork: [...base, 'tasks', 'db', 'trie', 'state', 'executor', 'chain', 'origin', 'dev', 'src/scale'],
  'fork/shared': [],
  rpc: [
    ...base,
    'tasks',
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
    'fork',
  ],
  'rpc/dialects': ['rpc', 'rpc/connection', 'rpc/methods/author', 'rpc/methods/chain-head'],
  'rpc/connection': ['rpc', 'rpc/dialects'],
  'rpc/methods': ['rpc', 'rpc/connection', 'rpc/dialects'],
};

const data = ['kit', 'node'];
const panel = [...data, 'values'];
/** Each folder in ui/panels/ is a panel. */
const panels = readdirSync(new URL('ui/panels/', import.meta.url), { withFileTypes: true }).flatMap((one) =>
  one.isDirectory() ? [one.name] : [],
);

/** The folders of ui/, from the bottom up, under the same rule; any may import `src`. A panel imports no other panel. */
export const uiLayers = {
  kit: [],
  node: ['kit', 'panels.css'],
  'node/live-chain': [],
  'node/client': ['node/live-chain'],
  'node/session': ['node/client', 'node/live-chain'],
  values: data,
  agents: data,
  'agents/tools': [],
  ...Object.fromEntries(panels.map((name) => [`panels/${name}`, panel])),
  'panels/node': [...panel, 'agents'],
  'app/bridge': data,
  'app/chains': data,
  'app/network': data,
  'app/palette': [...data, 'agents', 'panels/panels.ts', 'panels/chain/first-steps'],
};

/** The folders of bridge/, under the same rule; what they may import outside it is the line of `tops`. */
export const bridgeLayers = {
  thread: ['cli', 'network', 'server'],
  cli: ['files/chain-source.ts', 'network/addresses.ts', 'thread/node-log.ts'],
  files: ['cli'],
  server: ['cli'],
  key: ['cli', 'files', 'thread'],
  pages: ['cli', 'server'],
  proxy: ['cli', 'server'],
  network: ['server'],
  mcp: ['cli', 'files', 'server', 'thread'],
  chopsticks: ['cli', 'files', 'thread'],
  commands: ['chopsticks', 'cli', 'files', 'mcp', 'network', 'pages', 'proxy', 'server', 'thread'],
  testing: ['chopsticks', 'commands'],
};

/** The folders next to worker/. `src` refers to the worker by URL only, never by an import. */
export const tops = {
  src: [],
  ui: ['src'],
  /**
   * `tabnode mcp` shares these parts of the devtools, which do not depend on a page, `tabnode key` the node's
   * cryptography, and files of blocks its codecs: each form has one parser.
   */
  bridge: [
    'src',
    'ui/agents/tools',
    'ui/node/tx/keys.ts',
    'worker/bytes',
    'worker/chain/genesis/raw-text.ts',
    'worker/codec',
    'worker/crypto',
    'worker/db/files.ts',
    'src/protocol/addresses/multiaddr.ts',
  ],
};

/** The folders of worker/, src/, ui/ and bridge/ that may import a vendor package, as a pattern. Tests may import any. */
export const owners = {
  '@modelcontextprotocol': 'bridge/mcp',
  '@polkadot/(api|keyring|util)': 'ui|src/(providers|testing)',
  '@polkadot/util-crypto': 'src/(accounts|testing)',
  '@polkadot/types(-known|-support)?': 'src/scale/historic',
  '@noble/hashes': '(src/scale/|worker/crypto/network-ciphers\\.ts)',
  '@noble/(ciphers|curves)': 'worker/crypto/network-ciphers\\.ts',
  '@scure': 'worker/crypto|src/protocol/addresses',
  '@substrate/ss58-registry': 'bridge/key',
  'smol-toml': 'bridge',
  '@polkadot-api': 'src/scale',
  'polkadot-api': 'src/providers',
  comlink: 'src|worker/main|bridge',
  idb: 'worker/db|ui/node/session',
  svelte: 'ui',
  ws: 'bridge',
  leven: 'bridge/cli',
  yaml: 'bridge/chopsticks',
  '@codemirror|@lezer|jsonc-parser': 'ui/kit/json',
};
