import { textToBytes } from '../bytes/bytes.ts';
import { encodeBody } from '../codec/block.ts';
import { type BlockHash, blockHashToBytes } from '../codec/identity.ts';
import { encodeJustifications, type Justification } from '../codec/justification.ts';
import type { Draft } from './draft.ts';
import type { ExecutedBlock } from './import.ts';
import {
  encodeChainRecord,
  encodeHeaderRecord,
  encodeNumberRecord,
  numberKey,
  persistentKey,
} from './records.ts';
import type { BlockRef, BlockTree, TreeBlock } from './tree.ts';

export const chainKey = /* @__PURE__ */ textToBytes('chain');

type Identity = { readonly genesis: BlockHash; readonly identity: Uint8Array };

/** Writes where the chain stands; part of every transaction that moves it. */
export const putChainRecord = (
  batch: Draft,
  identity: Identity,
  at: { readonly best: BlockRef; readonly finalized: BlockRef; readonly leaves: readonly BlockHash[] },
): void => {
  batch.puts.push(['meta', chainKey, encodeChainRecord({ ...identity, ...at })]);
};

/** The block itself and, where the node indexes, what it wrote to the offchain database: forks too, as in the SDK. */
export const putBlock = (batch: Draft, executed: ExecutedBlock, indexing: boolean): void => {
  const key = blockHashToBytes(executed.hash);
  batch.puts.push(['headers', key, encodeHeaderRecord(executed.block.header, executed)]);
  batch.puts.push(['bodies', key, encodeBody(executed.block.extrinsics)]);
  if (!indexing) return;
  for (const [name, value] of executed.execution.changes.offchain) {
    const record = persistentKey(name);
    if (value === null) batch.deletes.push(['offchain', record]);
    else batch.puts.push(['offchain', record, value]);
  }
};

/** What made a block final stays with it. */
export const putJustification = (batch: Draft, hash: BlockHash, justification: Justification): void => {
  batch.puts.push(['justifications', blockHashToBytes(hash), encodeJustifications([justification])]);
};

/** Number → hash of the best chain, over a re-org too: heights above the new best lose their entry. */
export const putNumbers = (
  batch: Draft,
  enacted: readonly TreeBlock[],
  oldBest: BlockRef,
  newBest: BlockRef,
): void => {
  for (let number = newBest.number + 1; number <= oldBest.number; number++)
    batch.deletes.push(['numbers', numberKey(number)]);
  for (const block of enacted)
    batch.puts.push(['numbers', numberKey(block.number), encodeNumberRecord(block)]);
};

/** Blocks of lost branches lose header and body; their trie nodes may be shared and stay. */
export const deleteBlocks = (batch: Draft, pruned: readonly BlockHash[]): void => {
  for (const hash of pruned) {
    const key = blockHashToBytes(hash);
    batch.deletes.push(['headers', key], ['bodies', key], ['justifications', key]);
  }
};

export const leavesOf = (tree: BlockTree): BlockHash[] => tree.leaves().map((block) => block.hash);
