/** Options shared by several commands. */
type Parts = {
  readonly sourcePart: string;
  readonly jsonPart: string;
  readonly placePart: string;
  readonly chainPart: string;
};

const outputPart = `  --output, -o FILE    default: standard output
  --yes, -y            replace FILE if it exists`;

const namesPart = `  --chain-name NAME, --chain-id ID
                       default: those of the source
  --chain-type TYPE    development, local, live, or a name of your own
  --properties P=V     such as tokenSymbol=UNIT,tokenDecimals=12; may be repeated`;

const importBlocks = ({ chainPart }: Parts): string => `Usage: tabnode import-blocks [OPTIONS] [FILE]

Reads blocks from FILE, or from standard input: JSON, one block after another, or binary, as export-blocks and the
export-blocks of a native node write them. The format is detected. Each block is verified (claim, seal, slot, inherents)
and executed, and its roots are compared. The first refused block ends the import with exit code 1; the blocks before it
are kept. Blocks that already exist are counted as known.

Example: tabnode import-blocks --chain spec.json --base-path ./data blocks.bin

  --binary             read FILE as binary, without detecting the format
${chainPart}`;

const exportBlocks = ({ placePart }: Parts): string => `Usage: tabnode export-blocks [OPTIONS] [FILE]

Writes blocks of the best chain of a base path to FILE, or to standard output: one result of chain_getBlock per line,
or binary with --binary. A native node imports both formats. FILE appears once it is complete. If some blocks cannot be
read, the others are kept as FILE.partial-1 and the exit code is 1.

Example: tabnode export-blocks --base-path ./data --binary --from 1 --to 1000 blocks.bin

  --from BLOCK         number of the first block (default: 1)
  --to BLOCK           number of the last block (default: the best block)
  --binary             write the number of blocks and the SCALE-encoded blocks
  --chain-line         begin with a line that identifies the chain and has its time and snapshots, as dev_exportChain
                       does; a native node does not read it. Always written if the chain is ahead of the clock
  --yes, -y            replace FILE if it exists
${placePart}`;

const buildSpec = ({ sourcePart, jsonPart }: Parts): string => `Usage: tabnode build-spec [OPTIONS]

Writes a chain specification: plain, which is the runtime and its genesis configuration, or with --raw the state that
the runtime builds from them. With --block, the genesis is the state of a block of a chain in a base path.

Example: tabnode build-spec --chain runtime.wasm --preset development --raw --output spec.json

  --raw                write the genesis state
  --patch FILE         JSON that is merged over the genesis configuration
  --block BLOCK        hash or number of a block, or best
${namesPart}
${outputPart}
  --disable-default-bootnode
                       accepted for the SDK's scripts: no bootnode is ever added
${sourcePart}
${jsonPart}`;

const listPresets = ({ jsonPart }: Parts): string => `Usage: tabnode list-presets [OPTIONS]

Prints the genesis presets of a runtime, one per line.

Example: tabnode list-presets --chain runtime.wasm

  --chain CHAIN        development (default: the default runtime), a runtime (.wasm) or a specification (.json)
${jsonPart}`;

const exportState = ({ placePart }: Parts): string => `Usage: tabnode export-state [OPTIONS] [BLOCK]

Writes a raw chain specification whose genesis is the state of BLOCK, which is a hash or a number (default: the best
block) of a chain in a base path. A chain that starts from it continues with that state.

Example: tabnode export-state --base-path ./data 1000 --output fork.json

${namesPart}
${outputPart}
${placePart}`;

const chainInfo = ({ placePart }: Parts): string => `Usage: tabnode chain-info [OPTIONS]

Prints the number and hash of the best, the finalized and the first block of a chain in a base path, as JSON.
For a fork, CHAIN is the name of its folder below DIR/chains.

Example: tabnode chain-info --base-path ./data

${placePart}`;

const checkBlock = ({ placePart }: Parts): string => `Usage: tabnode check-block [OPTIONS] BLOCK

Executes a block of a chain in a base path again, on the state of its parent, and compares its hash, extrinsics root and
state root. Nothing is written. The exit code is 1 if the block is not valid.

Example: tabnode check-block --base-path ./data 1000

  BLOCK                hash or number
${placePart}`;

const revert = ({ placePart }: Parts): string => `Usage: tabnode revert [OPTIONS] [NUM]

Removes the last NUM blocks (default: 256) of a chain in a base path, and forks above the new head, after confirmation.
Finalized blocks stay, and so do blocks that a snapshot needs.

Example: tabnode revert --base-path ./data 10

  --yes, -y            do not ask for confirmation
${placePart}`;

const purgeChain = ({ placePart }: Parts): string => `Usage: tabnode purge-chain [OPTIONS]

Deletes a chain in a base path with everything in its database: blocks, states, snapshots, keys. Asks for confirmation.
For a fork, CHAIN is the name of its folder below DIR/chains.

Example: tabnode purge-chain --base-path ./data --chain spec.json

  --yes, -y            do not ask for confirmation
${placePart}`;

/** The `--help` texts of the commands for chains, blocks and specifications. */
export const chainHelp = (parts: Parts) =>
  ({
    'import-blocks': importBlocks(parts),
    'export-blocks': exportBlocks(parts),
    'build-spec': buildSpec(parts),
    'list-presets': listPresets(parts),
    'export-state': exportState(parts),
    'chain-info': chainInfo(parts),
    'check-block': checkBlock(parts),
    revert: revert(parts),
    'purge-chain': purgeChain(parts),
  }) as const;
