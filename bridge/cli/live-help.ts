import { liveChainNames } from '../../src/live-chains.ts';

const chopsticksPart = `  --config, -c FILE    options of chopsticks: its YAML, a file or a URL, with \${env.NAME}; then the port is 8000, blocks
                       are final at once, and responses are those of the SDK. A .toml has options of tabnode
  --endpoint, -e URL   as ENDPOINT; may be repeated
  --port, -p PORT      both --ws-port and --rpc-port
  --build-block-mode MODE
                       Batch and Instant (--seal instant) or Manual (--seal manual)
  --import-storage, -s FILE
                       YAML or JSON with storage by pallet and item, set before the first block
  --wasm-override, -w FILE
                       a runtime of this chain that replaces its own
  --mock-signature-host
                       --mock-signatures
  --allow-unresolved-imports
                       open a runtime that imports host functions which this node does not have; it traps if it
                       calls one. Otherwise it is refused, and they are named
  --db FILE            keep what is read in the folder FILE.tabnode; without --resume, blocks of earlier runs are
                       dropped
  --resume BLOCK       continue the blocks in --db: true, or the number or hash of one
  --timestamp MS       time of the next block, in ms since 1970
  --runtime-log-level N
                       what the runtime logs to stderr: 0 (off) to 5 (trace)`;

/** The `--help` texts of the commands that read live chains. */
const width = 120;

/** The names in lines of the help's width, indented like the texts of its options. */
const names = ((): string => {
  const lines: string[] = [];
  for (const name of liveChainNames) {
    const last = lines.at(-1);
    if (last === undefined || last.length + name.length + 2 > width) lines.push(`${' '.repeat(23)}${name}`);
    else lines[lines.length - 1] = `${last}, ${name}`;
  }
  return lines.join(',\n');
})();

const chainPart = `  CHAIN                instead of ENDPOINT, or with those that must be of it, one of
${names}`;

export const liveHelp = ({
  jsonPart,
  servePart,
}: {
  readonly jsonPart: string;
  readonly servePart: string;
}) =>
  ({
    fork: `Usage: tabnode fork [OPTIONS] CHAIN|ENDPOINT…

Continues a live chain here from one of its blocks, and serves it like tabnode serve. The state is read from the
endpoint as it is needed, and each trie node is verified by its hash, so the state roots of the new blocks are true: a
node with the whole state computes the same. Without keys of the chain's authorities, each block is authored for the
authority of its slot and has no seal; other nodes import such blocks with --trust-blocks. dev_status says what else is
not as on the live chain. What was read once is kept in --base-path: the fork opens again without an endpoint. Sign with
development keys: with a real key, a transaction may be valid on the live chain, too.

Example: tabnode fork polkadot --block 25000000

  ENDPOINT             URL of a node (ws, wss, http or https); up to 16 of one chain, the preferred one first. Each must
                       offer state_getReadProof. None: opens the fork in --base-path, and reads nothing
${chainPart}
  --block, -b BLOCK    number, hash with 0x, best or finalized (default) block to continue from; in a base path, each
                       of these is a fork of its own, which keeps its block
  --pack FILE          open the fork that --save has written: base, and what was read of its state
  --save FILE          at the end, write the fork into one file that opens without the live chain
  --yes, -y            replace FILE if it exists
  --offline            forbid the network: what any fork of the base path has read is there, the rest is NotCached; an
                       ENDPOINT only says which chain is meant
  --shared-mib N       limit of DIR/nodes.sqlite, which all forks of the base path share, default 256; 0: none
${chopsticksPart}
${servePart}`,
    'run-block': `Usage: tabnode run-block [OPTIONS] CHAIN|ENDPOINT…

Executes a block of a live chain here, on the state of its parent, and compares the state root with the block's header.
The state is read from the endpoint as it is needed. Header, extrinsics and each trie node are verified by their hashes,
so the result does not depend on what the endpoint claims. Prints what each phase did: its events, time and weight, with
--json also every value that it changed. If the root differs, names the first phase that differs and the values here and
there. The exit code is 1 if the block differs.

Example: tabnode run-block polkadot --block 25000000

  ENDPOINT             URL of a node (ws, wss, http or https); up to 16 of one chain, the preferred one first. Each must
                       offer state_getReadProof
${chainPart}
  --block BLOCK        number, hash with 0x, best or finalized (default)
  --save FILE          if the block differs, write it into one file, with all that it reads
  --pack FILE          execute the block that --save has written once more, without an endpoint
  --yes, -y            replace FILE if it exists
${jsonPart}`,
    'try-runtime': `Usage: tabnode try-runtime --runtime WASM [OPTIONS] CHAIN|ENDPOINT…

Rehearses a runtime upgrade on a block of a live chain: runs the checks of the new runtime if it was built with the
feature try-runtime, then on_runtime_upgrade as the next block does, the multi-block migrations to their end, and three
blocks more. Prints weight, proof size, time, keys read and what changes, each against its limit. Only what the upgrade
reads is read, each key once and verified by hashes. Nothing is stored, and no node sees it. The exit code is 1 if a
check fails, a limit is passed, or a migration fails or does not end.

Example: tabnode try-runtime --runtime next.wasm polkadot

  ENDPOINT             URL of a node (ws, wss, http or https); up to 16 of one chain, the preferred one first. Each must
                       offer state_getReadProof
${chainPart}
  --runtime FILE       the new runtime: a .wasm, compressed or not, of the same specification with a newer version
  --block BLOCK        number, hash with 0x, best or finalized (default)
  --checks CHECKS      none, pre-and-post, try-state or all; all but none also decode the whole state, which must then
                       be read. Default: pre-and-post if the runtime has them, else none
  --max-blocks N       limit of the blocks that multi-block migrations take, default 1000
  --save FILE          write all that was read into one file, from which --pack repeats the rehearsal without an
                       endpoint
  --pack FILE          rehearse on the base of a pack that --save or tabnode fork has written; with an ENDPOINT, what
                       the pack lacks is read from it
  --yes, -y            replace FILE if it exists
${jsonPart}`,
    follow: `Usage: tabnode follow [OPTIONS] CHAIN|ENDPOINT…

Executes each new block of a live chain here, like run-block, and prints a line for each: the same state root, or where
it differs. Forks are executed, too. Runs until Ctrl+C. The exit code is 1 if a block differs.

Example: tabnode follow polkadot --finalized --stop

  ENDPOINT             URL of a node (ws, wss, http or https); up to 16 of one chain, the preferred one first. Each must
                       offer state_getReadProof
${chainPart}
  --best, --finalized  which blocks: as soon as they are the best ones (default), or once they are final
  --count N            end after N blocks
  --stop               end at the first block that differs
  --save FILE          with --stop: write that block into one file, which run-block --pack executes without an endpoint
  --yes, -y            replace FILE if it exists
${jsonPart}`,
  }) as const;
