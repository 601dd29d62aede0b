import { NodeError } from '../../../src/protocol/errors.ts';
import { textToBytes } from '../../bytes/bytes.ts';
import type { Chain } from '../../chain/chain.ts';
import type { BlockRef } from '../../chain/tree.ts';
import { findJustification } from '../../codec/justification.ts';
import { effective } from '../../consensus/grandpa/authorities.ts';
import { grandpaEngine } from '../../consensus/grandpa/codec.ts';
import type { Grandpa } from '../../consensus/grandpa/grandpa.ts';
import { type BlockRequest, blockParts, decodeBlockResponse } from '../protocol/block-request.ts';
import { reputationChanges } from '../reputation-changes.ts';

export type JustificationDeps = {
  readonly chain: Pick<Chain, 'best' | 'finalize' | 'finalized' | 'loadHashAt'>;
  readonly grandpa: Pick<Grandpa, 'authoritySet'>;
  /** Peers that may have a block of this height. */
  readonly holders: (number: number) => readonly string[];
  readonly request: (peer: string, request: BlockRequest) => Promise<Uint8Array>;
  readonly punish: (peer: string, change: number) => void;
  readonly schedule: (ms: number, run: () => void) => () => void;
  readonly onError: (error: unknown) => void;
};

/** A request is repeated after this time (sc-network-sync `extra_requests.rs`, `EXTRA_RETRY_WAIT`). */
const retryMs = 10_000;

/**
 * The block that ends an authority set and is not final here, although it is old: without its justification, nothing
 * above it can become final. Null if there is none.
 */
const findMissing = async ({ chain, grandpa }: JustificationDeps): Promise<BlockRef | null> => {
  const set = await grandpa.authoritySet();
  if (set === null) return null;
  for (const change of [...set.scheduled].sort((a, b) => effective(a) - effective(b))) {
    const number = effective(change);
    if (number <= chain.finalized().number || number >= chain.best().number) continue;
    if ((await chain.loadHashAt(change.number)) !== change.hash) continue;
    const hash = await chain.loadHashAt(number);
    if (hash !== null) return { hash, number };
  }
  return null;
};

const fetchOne = async (deps: JustificationDeps, peer: string, { hash }: BlockRef): Promise<void> => {
  const parts = blockParts.justification;
  const request = { parts, from: hash, isDescending: false, max: 1, takesSeveral: true } as const;
  const bytes = await deps.request(peer, request).catch(() => null);
  if (bytes === null) return;
  const [found] = decodeBlockResponse(bytes) ?? [];
  // A peer without the justification says so by an empty response.
  const proof = found === undefined ? null : findJustification(found.justifications, grandpaEngine);
  if (proof === null) return;
  try {
    await deps.chain.finalize(hash, [textToBytes(grandpaEngine), proof]);
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    if (error.code === 'BadJustification') deps.punish(peer, reputationChanges.fatal);
  }
};

/** Requests the justifications of set changes that did not come with their blocks, from one peer after another. */
export const startJustifications = (deps: JustificationDeps): { close(): Promise<void> } => {
  let cancel = (): void => undefined;
  let isClosed = false;
  let round = 0;
  let working: Promise<void> = Promise.resolve();
  const step = async (): Promise<void> => {
    const missing = await findMissing(deps);
    if (missing === null) return;
    const holders = deps.holders(missing.number);
    const peer = holders[round++ % Math.max(1, holders.length)];
    if (peer !== undefined) await fetchOne(deps, peer, missing);
  };
  const wait = (): void => {
    cancel = deps.schedule(retryMs, () => {
      working = step()
        .catch(deps.onError)
        .finally(() => {
          if (!isClosed) wait();
        });
    });
  };
  wait();
  return {
    close: async () => {
      isClosed = true;
      cancel();
      await working;
    },
  };
};
