/** The texts of `--help`. */
const overview = `tabnode: a Polkadot SDK node; the same one that runs in a browser tab

Usage: tabnode COMMAND [OPTIONS]

Commands:
  serve           run a node and offer its JSON-RPC on 127.0.0.1
  import-blocks   verify and re-execute the blocks of a file into a chain
  export-blocks   write the blocks of a chain into a file
  repair          bring a damaged chain back to its last whole block
  mcp             give an agent the node's tools over the Model Context Protocol

tabnode COMMAND --help tells more; tabnode --version prints the version.
Exit code 0, or an error on stderr with its code.`;

const sourcePart = `  --chain CHAIN        development (default), local_testnet, a specification (.json) or a runtime (.wasm)
  --preset NAME        genesis preset of a runtime given as .wasm
  --base-path, -d DIR  where chains are kept (default: the user's data folder)`;

const jsonPart = '  --json               machine-readable output, one JSON value per line';

const placePart = `${sourcePart}
${jsonPart}`;

const chainPart = `${sourcePart}
  --tmp                keep the chain in memory only
  --dev                short for the development chain in memory, with Alice's keys
  --finality MODE      delayed (default: 1.5 s after clients heard of a block), delayed:MS, delayed:Nb (under N blocks),
                       instant (default with --seal manual) or manual
  --trust-blocks       accept blocks without verifying who sealed them: for recordings whose seals are damaged; the
                       roots are compared all the same
  --state-pruning MODE
                       archive (default: every state is kept), archive-canonical (those of deleted blocks go) or N
                       (those of the last N finalized blocks are kept); chosen when a chain is made, later only N may
                       change
${jsonPart}`;

const serve = `Usage: tabnode serve [OPTIONS]

${chainPart}
  --alice … --ferdie   hold the keys of these development accounts (default: --alice)
  --seal MODE          interval (default, every 2 s), interval:MS, instant, slots or manual
  --clock CLOCK        chain (default: the slot after the parent's), wall (no slot that is over), or the date at
                       which a new chain begins
  --dialect DIALECT    psp-6 (default) or polkadot-sdk; a connection chooses the form of its answers by ?dialect=
  --ws-port PORT       default 9944; 0 picks a free one
  --rpc-port PORT      default 9933; 0 picks a free one. Both take WebSocket and HTTP, and may be the same port
  --rpc-module FILE    a module whose export rpcMethods adds JSON-RPC methods; may be repeated
  --rpc-methods SET    auto (default: unsafe calls on loopback only), safe or unsafe; which calls are unsafe is what
                       --dialect marks, and on all interfaces what either dialect marks
  --rpc-cors ORIGINS   pages that may call: origins with commas between them, all or none; :* is any port (default:
                       pages of this machine; https://polkadot.js.org, https://dev.papi.how and browser extensions make
                       safe calls). all also accepts any Host, and is needed when others reach this machine by its name
  --rpc-external, --ws-external
                       listen on all interfaces; refused beside --validator
  --unsafe-rpc-external, --unsafe-ws-external
                       the same, and also beside --validator
  --validator          the node is a validator: it does not expose its interface by mistake
  --rpc-max-request-size MIB, --rpc-max-response-size MIB
                       default 15 each
  --rpc-max-connections N
                       WebSockets and HTTP requests in progress, default 100
  --rpc-max-subscriptions-per-connection N
                       default 1024
  --rpc-message-buffer-capacity-per-connection N
                       messages that wait for a slow client before the node holds back, default 64
  --rpc-max-batch-request-len N, --rpc-disable-batch-requests
                       default: 500000, more than the default size of a request holds
  --rpc-rate-limit N   calls a minute for each connection, default: any number
  --rpc-rate-limit-whitelisted-ips NETWORKS
                       addresses and networks without that limit; may be repeated
  --rpc-rate-limit-trust-proxy-headers
                       tell clients apart by Forwarded, X-Forwarded-For and X-Real-Ip
  --pool-limit N       ready transactions the pool holds, default 8192; a tenth of it may wait for others
  --pool-kbytes N      their size in kB, default 20480
  --tx-ban-seconds N   how long a refused transaction may not come back, default 1800, with --dev 0
  --blocks-pruning MODE
                       archive-canonical (default: of the blocks below the finalized one its chain is kept) or archive
  --mock-signatures    take the signature 0xdeadbeef, then 0xcd to the end, for every account, as chopsticks'
                       mock-signature-host does; not beside an external interface
  --offchain-worker MODE
                       when-authority (default: on a node that holds keys), always or never
  --enable-offchain-indexing true|false
                       whether blocks may write to the offchain database, default false
  --offchain-http ORIGIN
                       an origin that offchain workers may ask, default none; may be repeated`;

const importBlocks = `Usage: tabnode import-blocks [OPTIONS] FILE

FILE holds one result of chain_getBlock per line; a first line of export-blocks says which chain they are of. Each
block is verified (claim, seal, slot, inherents), executed, and its roots are compared. The first refused one ends the
import with exit code 1; the blocks before it are kept. Blocks that are there already are counted as known.

${chainPart}`;

const exportBlocks = `Usage: tabnode export-blocks [OPTIONS] FILE

Writes the best chain of a base path to FILE, from block 1: a line that names the chain, then one result of
chain_getBlock per line. FILE appears once it is whole. Where blocks cannot be read, the others are kept as
FILE.partial-1 and the exit code is 1.

  --yes, -y            replace FILE if it exists
${placePart}`;

const repair = `Usage: tabnode repair [OPTIONS]

Looks for the highest block of the best chain from which everything is there down to block 0 and whose whole state is
there, and says what is lost above it: blocks, dev states, snapshots, keys. Asks, then puts a repaired file in the place
of the damaged one, which stays beside it. Nothing is written where nothing is damaged.

  --dry-run            only say what would be lost
  --yes, -y            do not ask
${placePart}`;

const mcp = `Usage: tabnode mcp [OPTIONS]

Speaks the Model Context Protocol on stdin and stdout. An MCP client starts it; its agent reads the chain by the
runtime's metadata, tries calls and explains why they fail. With --allow-writes it sends transactions as development
accounts, makes and finalizes blocks, moves time, goes back to snapshots and sets storage. docs/mcp.md lists the tools.
Ends with its client.

  --url WS             connect to a running node, such as ws://127.0.0.1:9944; without it mcp starts its own
  --allow-writes       let the agent change the chain, and call unsafe JSON-RPC methods (default: it only reads)

A node of its own:
${chainPart}
  --alice … --ferdie   hold the keys of these development accounts (default: --alice)
  --seal MODE          instant (default with --allow-writes), manual (default without), interval, interval:MS or slots
  --clock CLOCK        chain (default), wall, or the date at which a new chain begins`;

export const helpTexts = {
  overview,
  serve,
  'import-blocks': importBlocks,
  'export-blocks': exportBlocks,
  repair,
  mcp,
} as const;
