import { chainHelp } from './chain-help.ts';
import type { Commands } from './command.ts';
import { liveHelp } from './live-help.ts';
import { toolHelp } from './tool-help.ts';

const sourcePart = `  --chain CHAIN        development (default), local_testnet, a specification (.json) or a runtime (.wasm)
  --preset NAME        genesis preset of a runtime given as .wasm
  --base-path, -d DIR  where chains are stored (default: the user's data folder)`;

const jsonPart = '  --json               machine-readable output, one JSON value per line';

const placePart = `${sourcePart}
${jsonPart}`;

const importPart = `  --finality MODE      grandpa (by votes; default if the node has the keys of all authorities), delayed (default
                       otherwise: 1.5 s after clients were notified of a block), delayed:MS, delayed:Nb (once N
                       blocks follow), instant (default with --seal manual) or manual
  --trust-blocks       accept blocks without verifying who sealed them, for recordings with damaged seals; roots are
                       still compared`;

const chainPart = `${sourcePart}
  --tmp                keep the chain in memory only
  --dev                short for the development chain in memory, with Alice's keys
${importPart}
  --state-pruning MODE
                       archive (default: keep every state), archive-canonical (discard those of deleted blocks) or N
                       (keep those of the last N finalized blocks); set when a chain is created, later only N may
                       change
${jsonPart}`;

const serverPart = `  --dialect DIALECT    psp-6 (default) or polkadot-sdk; a connection selects its response format with ?dialect=
  --ws-port PORT       default 9944; 0 picks a free one
  --rpc-port PORT      default 9933; 0 picks a free one. Both accept WebSocket and HTTP, and may be the same port
  --rpc-module FILE    a module whose rpcMethods export adds JSON-RPC methods; may be repeated
  --rpc-methods SET    auto (default: unsafe calls on loopback only), safe or unsafe; unsafe calls are those that
                       --dialect marks, or on all interfaces those that either dialect marks
  --rpc-cors ORIGINS   pages that may call: comma-separated origins, all or none; :* is any port (default: pages of
                       this machine; https://polkadot.js.org, https://dev.papi.how and browser extensions may make
                       safe calls). all also accepts any Host, which is needed if others reach this machine by name
  --rpc-external, --ws-external
                       listen on all interfaces; refused together with --validator
  --unsafe-rpc-external, --unsafe-ws-external
                       the same, also allowed together with --validator
  --validator          the node is a validator, which must not be exposed by mistake
  --rpc-max-request-size MIB, --rpc-max-response-size MIB
                       default 15 each
  --rpc-max-connections N
                       WebSockets and HTTP requests in progress, default 100
  --rpc-max-subscriptions-per-connection N
                       default 1024
  --rpc-message-buffer-capacity-per-connection N
                       messages queued for a slow client before the node pauses, default 64
  --rpc-max-batch-request-len N, --rpc-disable-batch-requests
                       default 500000, more than fit into a request of the default size
  --rpc-rate-limit N   calls per minute and connection, default unlimited
  --rpc-rate-limit-whitelisted-ips NETWORKS
                       addresses and networks exempt from that limit; may be repeated
  --rpc-rate-limit-trust-proxy-headers
                       identify clients by Forwarded, X-Forwarded-For and X-Real-Ip
  --pool-limit N       maximum ready transactions, default 8192; a tenth as many may wait for others
  --pool-kbytes N      their total size in kB, default 20480
  --tx-ban-seconds N   how long a refused transaction is banned, default 1800, with --dev 0
  --blocks-pruning MODE
                       archive-canonical (default: below the finalized block, keep only its chain) or archive
  --mock-signatures    accept 0xdeadbeef followed by 0xcd bytes as a signature for every account, like chopsticks'
                       mock-signature-host; not allowed with an external interface
  --offchain-worker MODE
                       when-authority (default: on a node that holds keys), always or never
  --enable-offchain-indexing true|false
                       whether blocks may write to the offchain database, default false
  --offchain-http ORIGIN
                       an origin that offchain workers may send requests to, default none; may be repeated
  --log, -l DIRECTIVES what to log to stderr, such as info or warn,runtime=debug; default only errors. rpc=debug shows
                       each call of a client with its time, rpc=trace each message; secrets are hidden
  --detailed-log-output
                       log lines with milliseconds, level and target; debug and trace always have them`;

const networkPart = `  --network            take part in the network of the chain, whose boot nodes are those of its specification; so does
                       each of the next four. The node then seals only what others can follow, has no key unless one
                       is named, and blocks become final by votes alone
  --bootnodes ADDRS    nodes to begin with, such as /ip4/127.0.0.1/tcp/30333/ws/p2p/12D3…; may be repeated
  --reserved-nodes ADDRS
                       nodes that are always connected; may be repeated
  --listen-addr ADDR   where others reach this node, such as /ip4/127.0.0.1/tcp/30333/ws, or without /ws for TCP; port 0
                       picks a free one; may be repeated
  --port PORT          the same on all interfaces: by WebSocket, with --validator by TCP
  --public-addr ADDR   an address under which others reach it besides these; may be repeated
  --reserved-only      no peers but the reserved ones
  --node-key KEY       the secret of its peer id, 32 bytes as hex (default: made once, and kept with the chain)
  --node-key-file FILE the file of that secret (default: network/secret_ed25519 beside the chain, if there is one)
  --in-peers N, --in-peers-light N, --out-peers N
                       places for nodes and light clients that dial this one, default 32 and 100; nodes that it dials,
                       default 8
  --max-parallel-downloads N, --max-blocks-per-request N
                       how many peers are asked for blocks at once, default 5; most blocks of one request, default 64
  --name NAME          the name that other nodes see
  --force-authoring    seal by slots also while the node has no peer, or is far behind its peers`;

const servePart = `${chainPart}
  --alice … --ferdie   author with the keys of these development accounts (default: --alice)
  --seal MODE          interval (default, every 2 s), interval:MS, instant, slots (default in a network, with a key) or
                       manual (default there without one)
  --clock CLOCK        chain (default: the slot after the parent's), wall (follows the wall clock), or the date at
                       which a new chain starts
${networkPart}
${serverPart}`;

const forkPart = `  --base-path, -d DIR  keep the fork, and what was read, in this folder (default: in memory)
  --tmp                keep it in memory
${importPart}
${jsonPart}
  --alice … --ferdie   author with the keys of these development accounts where they are authorities (default: none)
  --seal MODE          instant (default), interval (every 2 s), interval:MS, slots or manual
  --clock CLOCK        chain (default: the slot after the parent's) or wall (follows the wall clock)
${serverPart}`;

const serve = `Usage: tabnode serve [OPTIONS]

${servePart}

Example: tabnode serve --dev --seal instant`;

const develop = `Usage: tabnode develop [OPTIONS]
       tabnode [OPTIONS]

Starts a development node, opens the devtools connected to it in a browser, and prints its addresses. The chain is kept
in memory unless a --base-path is given. If a default port is in use, the next free one is used.

  --no-open            do not open a browser; none is opened in CI or without a display either
  --page-port PORT     where the devtools are served, default 5199
  --page URL           open the devtools of another server instead, such as http://127.0.0.1:5173/

Options of the node, as for tabnode serve:
${servePart}

Examples:
  npx tabnode
  tabnode develop --seal instant --no-open`;

const repair = `Usage: tabnode repair [OPTIONS]

Finds the highest block of the best chain with an intact state and all blocks down to block 0, and shows what is lost:
blocks, dev states, snapshots, keys. After confirmation it replaces the damaged file with a repaired one and keeps the
damaged file next to it. If nothing is damaged, nothing is written.

  --dry-run            only show what would be lost
  --yes, -y            do not ask for confirmation
${placePart}

Example: tabnode repair --dry-run --base-path data`;

const mcp = `Usage: tabnode mcp [OPTIONS]

Speaks the Model Context Protocol on stdin and stdout. An MCP client starts it, and it exits with that client. With
--http it serves any number of clients over HTTP instead, until it is stopped. Agents can read decoded chain data, try
calls and find out why they fail. With --allow-writes they can also send transactions as development accounts, seal and
finalize blocks, move time, restore snapshots and set storage. docs/mcp.md lists the tools.

  --url WS             connect to a running node, such as ws://127.0.0.1:9944 (default: start a node)
  --allow-writes       let agents change the chain and call unsafe JSON-RPC methods (default: read only)
  --account FILE       with --allow-writes: a JSON account of polkadot-js that agents may sign with
  --account-password-filename FILE
                       the file of its password; a line break at its end is ignored
  --http [PORT]        serve http://127.0.0.1:PORT/mcp (default 9950; 0 picks a free one); clients need the token that
                       is printed at the start, or the one in the environment variable TABNODE_MCP_TOKEN
  --no-token           with --http: do not require a token; not allowed with --rpc-external or --rpc-cors all
  --rpc-cors ORIGINS   with --http: pages that may call, as for tabnode serve (default: pages of this machine)
  --rpc-external       with --http: listen on all interfaces

Options for starting a node:
${chainPart}
  --alice … --ferdie   author with the keys of these development accounts (default: --alice)
  --seal MODE          instant (default with --allow-writes), manual (default without), interval, interval:MS or slots
  --clock CLOCK        chain (default), wall, or the date at which a new chain starts

Example: tabnode mcp --url ws://127.0.0.1:9944`;

const bridge = `Usage: tabnode bridge [OPTIONS]

Serves the node of a browser tab at the usual addresses of a node, so that wallets, scripts and explorers can use the
chain that the tab shows. Open the printed address in a browser; its page connects after asking you once, and shows who
uses its chain. Each tab has a name, as in ws://127.0.0.1:9944/Development. The first tab also needs no name.

Examples:
  tabnode bridge --open
  curl -H 'Content-Type: application/json' -d '{"id":1,"jsonrpc":"2.0","method":"system_chain"}' http://127.0.0.1:9933

  --open               open the pairing address in your browser
  --page URL           pair the devtools at this address (default: serve those of this package)
  --page-port PORT     where they are served, default 5199; keep it the same, because browsers store chains per port
  --accept-first       for automation: share the first page that connects without asking its user, if its address ends
                       with &accept=1 (with &unsafe=1, unsafe calls are allowed too)
  --base-path, -d DIR  where the key that recognizes paired pages is kept (default: the user's data folder)
  --dialect, --ws-port, --rpc-port, --rpc-methods, --rpc-cors, --rpc-external, --ws-external, --rpc-max-…, --rpc-rate-…
                       as for tabnode serve. The user of the page may deny more, never less
${jsonPart}`;

const proxy = `Usage: tabnode proxy --allow FILE --to URL [OPTIONS]

Forwards the methods of an allow-list to a node, and refuses all others with -32601. FILE has one method per line;
chain_* matches all methods with that prefix, and # begins a comment. Clients that may subscribe may also unsubscribe.
Each WebSocket client has its own connection to the node. A text that parsers may read differently, such as one with a
duplicate name, is refused as a whole; of a batch, only the calls that are not allowed are refused. With --ws-external,
clients that reach the proxy by a host name also need --rpc-cors all.

  --allow FILE         the allow-list; required
  --to URL             WebSocket address of the node; required
  --ws-port PORT       default 9945; 0 picks a free one
  --rpc-port PORT      default 9934; 0 picks a free one
  --rpc-external, --ws-external
                       listen on all interfaces
  --dialect DIALECT    polkadot-sdk (default), or psp-6 if the node is a tabnode node
  --rpc-cors ORIGINS   pages that may call, as for tabnode serve
  --rpc-max-…, --rpc-rate-…, --rpc-disable-batch-requests, --rpc-message-buffer-capacity-per-connection N
                       limits of each client, as for tabnode serve
${jsonPart}

Example: tabnode proxy --allow public.txt --to ws://127.0.0.1:9944 --rpc-rate-limit 600`;

const completion = `Usage: tabnode completion bash|zsh|fish

Prints a script that completes commands, options and their values in bash, zsh or fish.

Examples:
  source <(tabnode completion bash)                                      in ~/.bashrc
  tabnode completion zsh > "\${fpath[1]}/_tabnode"
  tabnode completion fish > ~/.config/fish/completions/tabnode.fish`;

/** The texts of `COMMAND --help`. */
export const helpTexts = {
  develop,
  bridge,
  serve,
  ...chainHelp({ sourcePart, jsonPart, placePart, chainPart }),
  ...liveHelp({ jsonPart, servePart: forkPart }),
  ...toolHelp({ jsonPart }),
  repair,
  mcp,
  proxy,
  completion,
} as const;

const linesOf = (commands: Commands): string =>
  Object.entries(commands)
    .map(([name, { summary }]) => `  ${name.padEnd(23)}${summary}`)
    .join('\n');

const introduction = 'tabnode: a Polkadot SDK node, the same one that runs in a browser tab\n\n';

/** The text of `tabnode --help`, or of a group such as `tabnode key --help`. */
export const overviewText = (commands: Commands, group?: string): string => {
  const name = group === undefined ? 'tabnode' : `tabnode ${group}`;
  const alone = group === undefined ? '\n       tabnode [OPTIONS]    (the same as tabnode develop)' : '';
  return `${group === undefined ? introduction : ''}Usage: ${name} COMMAND [OPTIONS]${alone}

Commands:
${linesOf(commands)}

Run ${name} COMMAND --help for its options, or tabnode --version for the version. Options can also be set in a
file: tabnode.toml in the working folder or the base path, or the one given by --config FILE. It has lines such as
ws-port = 9944; options for one command go below a line such as [serve]. Flags override it.
The exit code is 0 on success. Errors go to stderr, each with its code.`;
};
