import { fileURLToPath } from 'node:url';
import type { Rolldown } from 'vite';

/** Modules of the worker's entry script, which must not wait for another file. */
const firstOfWorker = /worker\/(main|early|crypto\/core-module)\.ts$|src\/protocol\/errors\.ts$|\/comlink\//;
/** Rarely needed: repair, and development methods that read values by the metadata. */
const lateInWorker =
  /worker\/(repair|chain\/repair\/[^/]+|db\/salvage|(chain\/)?dev\/(accounts|chain-file|dry-run|explain-extrinsic|fund|import-chain|metadata|named-state|read-storage|rebase|storage-items|storage-names|transaction)|dev\/rehearsal\/[^/]+)\.ts$|src\/scale\/|node_modules\/(@polkadot-api|@noble\/hashes|scale-ts)\//;
/** Loaded after the start, to check whether the node votes; includes proofs of finality. */
const voterInWorker =
  /worker\/(consensus\/(grandpa\/((voting|prove)\.ts$|voter\/)|report-equivocation\.ts$)|(crypto\/signature-(batch|helper)|executor\/batched-signatures)\.ts$)/;
/** Loaded with the first connection to another node, with the ciphers that only connections use. */
const networkInWorker =
  /src\/protocol\/addresses\/|worker\/(network\/(?!(lazy-network|local-peer|node-key|syncing)\.ts$)|dev\/join\.ts$|rpc\/methods\/dev-network\.ts$|crypto\/network-ciphers\.ts$|consensus\/(grandpa\/warp|other-authorities)\.ts$)|node_modules\/@noble\/(ciphers\/|curves\/|hashes\/(sha2|hmac)\.js$)/;
/** Loaded by chains that are given as a chain specification. */
const specInWorker =
  /worker\/(chain\/genesis\/(given-spec|parse-spec|raw-state|raw-text|spec-fields)|trie\/(build-trie|sort-pairs))\.ts$/;
/** Loaded with the first walk over the keys of a state. */
const scansInWorker = /worker\/(state\/scans|trie\/(packed-nodes|scan-keys))\.ts$/;
/** What hashes of the network and of values by the metadata have in common. */
const hashesInWorker = /node_modules\/@noble\/hashes\/(_md|_u64|utils)\.js$/;
/** Of forks, what few calls need: packs, blocks that are executed again, a new base (`dev_runBlock`, `dev_fork`). */
const lateInForks =
  /worker\/fork\/(compare|given-block|own-block|phases|replay|report|run-block|collect-nodes|pack|sealed-file|base\/rebase)\.ts$/;
/** Loaded by forks of live chains only. */
const forkInWorker = /worker\/((origin|fork)\/|db\/node-store)|src\/protocol\/json-rpc\//;
/** The relay of a bridge runs in another worker. */
const ofRelay = /(ui\/app|src)\/bridge\/|src\/protocol\/bridge\.ts$/;
const rpcOfWorker = /worker\/rpc\/|src\/protocol\/(rpc\/|custom\.ts$)/;

const keyWorker = fileURLToPath(new URL('../../ui/node/tx/key-worker.ts', import.meta.url));
const signatureWorker = fileURLToPath(new URL('../../worker/crypto/signature-worker.ts', import.meta.url));
type Graph = { getModuleInfo(id: string): unknown };
/** In the build of the key worker all but its entry is one file, and the word lists of other languages another; elsewhere nothing. */
const nameForKeys = (id: string, graph: Graph): string | null => {
  if (graph.getModuleInfo(keyWorker) === null || id === keyWorker) return null;
  return /mnemonic\/wordlists\/(?!en\.js)/.test(id) ? 'words' : 'accounts';
};

/** In the build of the helper for signatures all but its entry is one file; elsewhere nothing. */
const nameForSignatures = (id: string, graph: Graph): string | null =>
  graph.getModuleInfo(signatureWorker) === null || id === signatureWorker ? null : 'signatures';

/**
 * Splits the worker into five files: the entry, which starts the downloads; the chain; the method table with
 * its handlers; rarely used code; and the GRANDPA voter. More files would load one after the other and compress worse.
 * What reads live chains is a sixth one, as soon as something loads it, what few calls to them need is a seventh, the
 * network is an eighth, what reads chain specifications is a ninth, and walks over whole states are a tenth.
 */
export const workerChunks = {
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [
      // The worker of the page's keys is another one, and its library is loaded with the first key only.
      { name: nameForKeys, debugName: 'keys', priority: 9 },
      { name: nameForSignatures, debugName: 'signatures', priority: 9 },
      { name: 'fork-late', test: lateInForks, priority: 6 },
      { name: 'fork', test: forkInWorker, priority: 5 },
      { name: 'network', test: networkInWorker, priority: 5 },
      { name: 'spec', test: specInWorker, priority: 5 },
      { name: 'hashes', test: hashesInWorker, priority: 5 },
      { name: 'voter', test: voterInWorker, priority: 4 },
      { name: 'scans', test: scansInWorker, priority: 4 },
      { name: 'late', test: lateInWorker, priority: 3 },
      { name: 'rpc', test: rpcOfWorker, priority: 2 },
      {
        name: 'chain',
        test: (id: string) =>
          !firstOfWorker.test(id) && !ofRelay.test(id) && id !== keyWorker && id !== signatureWorker,
        priority: 1,
      },
    ],
  },
};

/** Puts what `entry` needs to start into one file: Node.js takes a tenth of a millisecond for each further one. */
export const startOf = (entry: string): Rolldown.CodeSplittingOptions => {
  const needed = new Set<string>();
  const collect = (id: string, graph: Rolldown.ChunkingContext): void => {
    if (needed.has(id)) return;
    needed.add(id);
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) collect(imported, graph);
  };
  const nameOf = (id: string, graph: Rolldown.ChunkingContext): string | null => {
    if (needed.size === 0) collect(entry, graph);
    return id !== entry && needed.has(id) ? 'start' : null;
  };
  return { includeDependenciesRecursively: false, groups: [{ name: nameOf }] };
};
