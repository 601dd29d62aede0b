import type { MethodDocs } from '../define.ts';

const bob = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';

export const devDocs = {
  dev_setSealMode: {
    doc: 'Sets the seal mode: manual, instant, interval or slots.',
    example: { mode: { kind: 'interval', ms: 2000 } },
  },
  dev_setFinality: {
    doc: 'Sets how blocks of this node are finalized: `delayed` (1.5 s after clients were notified, or by `{ kind, ms }` or `{ kind, blocks }`), `instant` (on import), `manual` (only on request) or `grandpa` (by the votes of the GRANDPA authorities, of which this node votes for those it has a key of). Only votes finalize imported blocks of other nodes automatically.',
    example: { mode: { kind: 'delayed', ms: 1500 } },
  },
  dev_newBlock: {
    doc: 'Seals `count` blocks, or blocks up to number `to`, on `parent` or the best block. `transactions` replace the pool for the first block. With `unsafeBlockHeight`, blocks without transactions are built first, so that the first of the others has that number. Returns the last hash, like chopsticks. With `report: true` it returns `{hash, left}`, where `left` lists what the last block left in the pool, as in `dev_seal`; otherwise this is logged (`dev_subscribeLogs`).',
    example: { options: { count: 2 } },
  },
  dev_seal: {
    doc: 'Seals a block with transactions of the pool on top of the best block. Returns how many it includes, and which ready ones it left out, each with a reason: `full` (no room), `future` (an earlier one of its account is missing), `stale` (with `dev_newBlock`: the branch of its parent has one with this nonce), `dependent` (it depends on one that was left out), `closed` (the runtime accepts none now), `unread` (on a fork, what it needs of the state cannot be read).',
    example: {},
  },
  dev_finalise: { doc: 'Finalizes a block and its ancestors, by default the best block.', example: {} },
  dev_setHead: {
    doc: 'Makes a known block the best one, by hash, number, or offset from the best block (0 or less). Finality moves back if necessary.',
    example: { hash_or_number: -1 },
  },
  dev_setStorage: {
    doc: 'Changes the state of the best block, or of one without children: by [key, value] pairs of SCALE hex, or by name as in chopsticks, {Pallet: {Item: value, Map: [[[key, …], value]], $removePrefix: ["Map"]}}. Values and keys have the forms of polkadot-js: numbers also as text, accounts as addresses, bytes as hex or text; missing fields get defaults. Hex in place of a whole value or key is its SCALE encoding and must decode to its last byte; null removes it. A `:code` that is no runtime is refused. Other nodes can no longer follow this chain.',
    example: {
      values: { System: { Account: [[[bob], { providers: 1, data: { free: '1000000000000' } }]] } },
    },
  },
  dev_dryRun: {
    doc: 'Applies an extrinsic, or a call as any account ({extrinsic: hex or {call, address}, at, raw}), in a separate block on the best block or `at`, and drops the block. Bytes that do not decode are refused with the call and the part that is wrong. Returns the outcome and the main state before and after, by name: those of the extrinsic alone; `hooks: true` adds what the initialization of the block, with its inherents, and the finalization change; with `raw` only the changes of the extrinsic, as [key, value] pairs.',
    example: { params: { extrinsic: { call: '0x00000400', address: bob } } },
  },
  dev_timeTravel: {
    doc: 'Moves chain time forward to a date or to milliseconds since 1970, the earliest time of the next block. Returns the milliseconds. To go back, use `dev_setHead`.',
    example: { date: '2030-01-01T00:00:00Z' },
  },
  dev_fund: {
    doc: "Sets an account's free balance, with a sudo extrinsic in a new block if the keystore holds the sudo key, otherwise like `dev_setStorage`.",
    example: { account: bob, amount: '1000000000000' },
  },
  dev_impersonate: {
    doc: 'Accepts the signature 0xdeadbeef followed by 0xcd bytes for an account, or stops doing so. Accounts of Ethereum (20 bytes as hex) have any byte as the 65th. Other nodes cannot follow a chain that uses it.',
    example: { account: bob },
  },
  dev_snapshot: {
    doc: 'Saves head, pool, clock and offchain storage under a name, replacing any snapshot of that name.',
    example: { name: 'funded' },
  },
  dev_listSnapshots: { doc: 'Lists the snapshots.', example: {} },
  dev_restore: {
    doc: 'Restores a snapshot. Later changes to chain and pool are lost.',
    example: { name: 'funded' },
  },
  dev_deleteSnapshot: { doc: 'Deletes a snapshot; false if there is none.', example: { name: 'funded' } },
  dev_pool: {
    doc: 'The current pool: ready transactions in pool order, those waiting for a tag, and banned hashes with the end of each ban in milliseconds since 1970. On a fork, `validOnLiveChain` marks what the live chain may accept as well: signed with a real key, and immortal or born at a block that both chains have.',
    example: {},
  },
  dev_reset: {
    doc: 'Returns to the genesis block, empties the pool and resets the clock; snapshots stay.',
    example: {},
  },
  dev_exportChain: {
    doc: "Exports blocks of the best chain: `json` as lines (the chain and its snapshots, then results of chain_getBlock), `binary` as hex of the SDK's format. If the result is too long (-32008), export a range.",
    example: { format: 'binary' },
  },
  dev_exportFork: {
    doc: "The fork in one file, as hex: what it is a fork of, its base, and every trie node of the base's state that was read, and what was declared. `tabnode fork --pack` and `startNode({ fork: { pack } })` open it without the live chain.",
    example: {},
  },
  dev_fork: {
    doc: "Continues a fork from a newer block of its live chain (a number, a hash, `best` or `finalized`), with the values that were set by hand (`dev_setStorage`, and `dev_fund` without a sudo key) and the impersonated accounts. The fork's own blocks, with all their transactions, and its snapshots are deleted; pool and keys stay. Returns the new base, and how many values were set on it. If it fails, nothing has changed.",
    example: { options: { rebase: 'finalized' } },
  },
  dev_network: {
    doc: 'Takes part in the network of the chain (`join`, with boot nodes, by default those of the specification, and reserved nodes), leaves it (`leave`), dials a node (`dial`, an address that ends in `/p2p/` and its id), or bans one (`ban`, its id). Returns whether the node takes part, its id and addresses, its peers, and why others could not be reached; without an argument only that. A chain that other nodes could not follow cannot join: the error names all reasons. In a network, what others could not follow is refused: finalizing by hand, setting storage, moving time, restoring, impersonating.',
    example: { change: { leave: true } },
  },
  dev_importChain: {
    doc: 'Imports the output of `dev_exportChain`, with all checks; known blocks are skipped, and a block with an invalid justification is imported without it. Meanwhile the node seals no block and does not move its head; with `more`, until the next request without it, or 5 seconds after the last.',
    example: { data: '0x0000000000000000' },
  },
} satisfies MethodDocs;
