import { textToBytes } from '../../bytes/bytes.ts';
import { Reader } from '../../bytes/reader.ts';
import {
  type FinalityGadget,
  type FinalityStep,
  type FinalityView,
  noFinality,
} from '../../chain/finality-gadget.ts';
import type { Refusal } from '../../chain/refusal.ts';
import type { BlockRef } from '../../chain/tree.ts';
import { type BlockHash, blockHashToBytes } from '../../codec/identity.ts';
import { findJustification, type Justification } from '../../codec/justification.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import { itemPrefix } from '../../crypto/storage-keys.ts';
import type { Database } from '../../db/database.ts';
import { targetOf } from '../../executor/runtime-api.ts';
import { grandpaAuthorities, grandpaCurrentSetId } from '../../executor/runtime-api-consensus.ts';
import {
  type AuthoritySet,
  createSet,
  enacts,
  finalizeJustified,
  finalizeUnjustified,
  type IsBelow,
  importHeader,
  isBehind,
  isValidList,
} from './authorities.ts';
import { findChange, grandpaEngine } from './codec.ts';
import { decodeSet, encodeSet, setKey } from './set-record.ts';
import { loadProofCrypto, type VerifyCrypto, verifyJustification } from './verify.ts';

type CryptoPart = { readonly crypto: Pick<Crypto, 'blake2b256' | 'ed25519Verify' | 'twox128'> };
type Deps = CryptoPart & { readonly db: Database };

/**
 * Follows the authority set and verifies justifications, including those that this node's voter makes
 * (voting.ts).
 */
export type Grandpa = FinalityGadget & {
  /** The authority set, as far as it is known. Null until it is first needed. */
  authoritySet(): Promise<AuthoritySet | null>;
  /** The authority set, read from the chain if it is not known yet. Null on a chain without GRANDPA. */
  loadSet(view: SetView): Promise<AuthoritySet | null>;
};

/**
 * A justification that enacts no change is verified only once per this many blocks, as in the SDK's nodes.
 */
const justificationPeriod = 512;

type Incoming = { readonly ref: BlockRef; readonly parent: BlockHash };

type SetView = Pick<FinalityView, 'loadHeader' | 'readState'> & {
  readonly tree: Pick<FinalityView['tree'], 'all' | 'finalized' | 'get' | 'isDescendant'>;
};
type ReadableView = { readonly tree: Pick<FinalityView['tree'], 'finalized' | 'get' | 'isDescendant'> };

/**
 * Changes pending at or below the finalized block are on its branch; the others were dropped at finalization.
 */
export const createIsBelow =
  ({ tree }: ReadableView, incoming: Incoming | null): IsBelow =>
  (ancestor, block) => {
    if (ancestor.number >= block.number) return false;
    if (ancestor.number <= tree.finalized().number) return true;
    const from = block.hash === incoming?.ref.hash ? incoming.parent : block.hash;
    return (
      tree.get(ancestor.hash) !== null && tree.get(from) !== null && tree.isDescendant(from, ancestor.hash)
    );
  };

/**
 * From the API, which provides it since version 3, otherwise from the pallet's storage under its current or
 * former name.
 */
const readSetId = (
  deps: CryptoPart,
  at: Parameters<Parameters<FinalityView['readState']>[1]>[0],
): bigint | null => {
  const { backend, runtime } = at;
  const target = targetOf(at);
  if ((runtime.apiVersion('GrandpaApi') ?? 0) >= 3) return grandpaCurrentSetId(target);
  for (const pallet of ['GrandpaFinality', 'Grandpa']) {
    const bytes = backend.get(itemPrefix(deps.crypto, pallet, 'CurrentSetId'));
    if (bytes !== null) return new Reader(bytes).u64();
  }
  return null;
};

/** The finalized block's set according to its state. Null on a chain without GRANDPA. */
export const readFinalizedSet = (
  deps: CryptoPart,
  { tree, readState }: ReadableView & Pick<FinalityView, 'readState'>,
): Promise<AuthoritySet | null> => {
  const { hash, number } = tree.finalized();
  return readState(hash, (at) => {
    if (at.runtime.apiVersion('GrandpaApi') === null) return null;
    const authorities = grandpaAuthorities(targetOf(at));
    const setId = number === 0 ? 0n : readSetId(deps, at);
    return setId === null || !isValidList(authorities) ? null : createSet(setId, authorities);
  });
};

/** The finalized block's set, then the announcements of the blocks above it. */
const readSet = async (deps: Deps, view: SetView): Promise<AuthoritySet | null> => {
  const finalized = view.tree.finalized();
  let set = await readFinalizedSet(deps, view);
  const isBelow = createIsBelow(view, null);
  for (const block of view.tree.all()) {
    if (set === null) return null;
    if (block.hash === finalized.hash) continue;
    const header = await view.loadHeader(block.hash);
    if (header === null) continue;
    const next = importHeader(set, block, findChange(header), isBelow);
    if (next.ok) set = next.set;
  }
  return set;
};

const periodOf = ({ number }: { readonly number: number }): number =>
  Math.floor(number / justificationPeriod);

/**
 * The block whose justification is no longer needed once the next one is final. The newest, the last of each
 * set, and one per period are kept.
 */
const findSuperseded = (last: BlockRef | null, set: AuthoritySet, next: BlockRef): BlockHash | null =>
  last === null || set.changes.at(-1)?.last === last.number || periodOf(last) !== periodOf(next)
    ? null
    : last.hash;

/**
 * Whether an incoming block's justification is verified (sc-consensus-grandpa
 * `should_process_justification`).
 */
const isDue = (view: FinalityView, set: AuthoritySet, block: BlockRef, isBelow: IsBelow): boolean => {
  const finalized = view.tree.finalized().number;
  const enactment = enacts(set, block, isBelow);
  if (enactment !== 'no') return enactment === 'now';
  // The known set cannot verify it. The native node tries, and drops it.
  if (isBehind(set, block, isBelow)) return false;
  return finalized === 0 || periodOf({ number: finalized }) !== periodOf(block);
};

type Verdict = { readonly ok: true; readonly set: AuthoritySet } | Refusal;

const finalizeBy = (
  crypto: VerifyCrypto,
  set: AuthoritySet,
  block: BlockRef,
  proof: Uint8Array,
  isBelow: IsBelow,
): Verdict => {
  const { hash, number } = block;
  const wrong = verifyJustification(crypto, proof, { hash: blockHashToBytes(hash), number }, set);
  return wrong ?? finalizeJustified(set, block, isBelow);
};

/** A block is good or bad by itself (sc-consensus-grandpa, `GrandpaBlockImport::import_block`). */
const withoutProof = (step: FinalityStep, { message }: Refusal): FinalityStep => ({
  ...step,
  badJustification: message,
});

/** The set in memory and in the database, where each change to it is part of the chain's own transaction. */
const createMemory = (db: Database) => {
  let current: AuthoritySet | null = null;
  let loading: Promise<void> | null = null;
  const load = async (): Promise<AuthoritySet | null> => {
    loading ??= db.get('auxiliary', setKey).then(
      (bytes) => {
        if (bytes !== null) current = decodeSet(bytes);
      },
      (error: unknown) => {
        // The next caller retries the read.
        loading = null;
        throw error;
      },
    );
    await loading;
    return current;
  };
  const stepTo = (set: AuthoritySet, justification: Justification | null): FinalityStep => ({
    ok: true,
    justification,
    stage: ({ puts }) => {
      if (set !== current) puts.push(['auxiliary', setKey, encodeSet(set)]);
    },
    accept: () => {
      current = set;
    },
  });
  return { load, stepTo };
};

export const createGrandpa = (deps: Deps): Grandpa => {
  const { load, stepTo } = createMemory(deps.db);
  /** The last block that was finalized by a justification of its own, apart from its import. */
  let last: BlockRef | null = null;

  const importBlock: FinalityGadget['importBlock'] = async (view, input) => {
    const { hash, header, justifications, finalize } = input;
    const proof = findJustification(justifications, grandpaEngine);
    const crypto = await loadProofCrypto(deps.crypto, proof);
    const change = findChange(header);
    let set = await load();
    // The runtime is not called until a block requires it.
    if (set === null && proof === null && change === null) return noFinality(null);
    set ??= await readSet(deps, view);
    if (set === null) return noFinality(null);
    const ref = { hash, number: header.number };
    const isBelow = createIsBelow(view, { ref, parent: input.parent.hash });
    const imported = importHeader(set, ref, change, isBelow);
    if (!imported.ok) return imported;
    const step = stepTo(finalize ? finalizeUnjustified(imported.set, ref, isBelow) : imported.set, null);
    if (proof === null || !isDue(view, imported.set, ref, isBelow)) return step;
    const final = finalizeBy(crypto, imported.set, ref, proof, isBelow);
    return final.ok ? stepTo(final.set, [textToBytes(grandpaEngine), proof]) : withoutProof(step, final);
  };

  const finalizeBlock: FinalityGadget['finalizeBlock'] = async (view, target, justification) => {
    const proof = justification === null ? null : findJustification([justification], grandpaEngine);
    const crypto = await loadProofCrypto(deps.crypto, proof);
    const known = await load();
    const set = known === null && proof !== null ? await readSet(deps, view) : known;
    if (set === null) return noFinality(justification);
    const isBelow = createIsBelow(view, null);
    if (proof === null) return stepTo(finalizeUnjustified(set, target, isBelow), justification);
    const final = finalizeBy(crypto, set, target, proof, isBelow);
    if (!final.ok) return final;
    const step = stepTo(final.set, justification);
    const accept = (): void => {
      step.accept();
      last = { hash: target.hash, number: target.number };
    };
    return { ...step, accept, superseded: findSuperseded(last, set, target) };
  };

  const move: FinalityGadget['move'] = async (view, from, common) => {
    last = null;
    const known = await load();
    if (known === null) return noFinality(null);
    const finalized = view.tree.finalized();
    if (finalized.hash === from.hash) {
      const stays = ({ hash, number }: BlockRef): boolean =>
        number <= finalized.number || view.tree.get(hash) !== null;
      const { scheduled, forced } = known;
      return stepTo({ ...known, scheduled: scheduled.filter(stays), forced: forced.filter(stays) }, null);
    }
    const set = await readSet(deps, view);
    if (set === null) return noFinality(null);
    const floor = Math.min(common.number, finalized.number);
    const changes = known.changes.filter(({ setId, last }) => last <= floor && setId < set.setId);
    const justified = known.justified !== null && known.justified.number <= floor ? known.justified : null;
    return stepTo({ ...set, changes, justified }, null);
  };

  return {
    ...{ importBlock, finalizeBlock, move },
    authoritySet: load,
    loadSet: async (view) => (await load()) ?? readSet(deps, view),
  };
};
