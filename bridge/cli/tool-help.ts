const placePart = (jsonPart: string): string => `  --endpoint, -e URL   a node of the chain; may be repeated
  --block, -b BLOCK    number, hash with 0x, best or finalized (default)
  --config, -c FILE    options of chopsticks, as for tabnode fork
  --base-path, -d DIR  keep what is read in this folder, or use what is there (default: in memory)
  --db FILE            the same in the folder FILE.tabnode
  --pack FILE          use the fork in a pack that tabnode fork --save has written
  --offline            forbid the network
${jsonPart}`;

/** The `--help` texts of tools that use a fork, and have the names of those of chopsticks. */
export const toolHelp = ({ jsonPart }: { readonly jsonPart: string }) =>
  ({
    'dry-run': `Usage: tabnode dry-run [OPTIONS] [ENDPOINT…]

Runs an extrinsic, or a call as any account or as root, on a fork of a live chain, and prints its outcome and what it
changes. What the hooks of the block change is not part of it; --json has it apart. Nothing is sent to the live chain.
The exit code is 1 if the call fails.

Examples:
  tabnode dry-run polkadot --extrinsic 0x00000400 --address 5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY
  tabnode dry-run -e wss://rpc.polkadot.io --preimage 0x00000400

  --extrinsic HEX      a whole extrinsic, or with --address a call
  --address ADDRESS    the account that the call is signed by, without its key
  --preimage HEX       a call that Scheduler dispatches as root, such as that of a referendum; an --extrinsic runs after
                       it
  --at HASH            the block that the extrinsic runs on, instead of the block that is forked
  --import-storage, -s FILE
                       YAML or JSON with storage by pallet and item, set before
  --wasm-override, -w FILE
                       a runtime of this chain that replaces its own
${placePart(jsonPart)}`,
    'fetch-storages': `Usage: tabnode fetch-storages [OPTIONS] ITEM…

Reads parts of the state of a live chain, verified, and keeps them: a fork with the same --base-path or --db does not
read them again.

Example: tabnode fetch-storages System.Account Balances -e wss://rpc.polkadot.io --db polkadot.sqlite

  ITEM                 a key prefix (0x…), Pallet, or Pallet.Item
${placePart(jsonPart)}`,
    'decode-key': `Usage: tabnode decode-key [OPTIONS] KEY

Prints the pallet and item that a storage key belongs to, and the map keys in it, by the metadata of a live chain.

Example: tabnode decode-key 0x26aa394eea5630e07c48ae0c9558cef7 -e wss://rpc.polkadot.io

  KEY                  as hex
${placePart(jsonPart)}`,
    'follow-chain': `Usage: tabnode follow-chain [OPTIONS] [ENDPOINT…]

The same as tabnode follow, with the options of chopsticks.

Example: tabnode follow-chain -e wss://rpc.polkadot.io --head-mode Finalized

  --endpoint, -e URL   as ENDPOINT; may be repeated
  --head-mode MODE     Latest (default) or Finalized
  --count N            end after N blocks
  --stop               end at the first block that differs
${jsonPart}`,
  }) as const;
