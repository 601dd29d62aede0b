import { NodeError } from '../../src/protocol/errors.ts';
import type { Clock } from '../author/clock.ts';
import { Reader } from '../bytes/reader.ts';
import type { FinalityView } from '../chain/finality-gadget.ts';
import type { Verdict, Verifier } from '../chain/import/verify.ts';
import { type Refusal, refuse } from '../chain/refusal.ts';
import { isSeal } from '../codec/digest.ts';
import type { Header } from '../codec/header.ts';
import { encodeU64, type Inherent } from '../codec/inherent-data.ts';
import type { Crypto } from '../crypto/crypto.ts';
import type { Runtime } from '../executor/executor.ts';
import { targetOf } from '../executor/runtime-api.ts';
import { auraAuthorities } from '../executor/runtime-api-consensus.ts';
import { auraSlot, checkSlotAuthor } from './aura/aura.ts';
import { headerPreDigest } from './babe/codec.ts';
import { type BabeEpochs, createEpochs } from './babe/epochs.ts';
import { checkAnnouncement, checkClaim, readPreDigest } from './babe/verify.ts';
import { at, readEngineDigest, timeText } from './engine-digest.ts';
import type { Equivocations } from './equivocations.ts';
import { judgeInherents } from './inherents.ts';
import { readChainTime, stepMs } from './instant/instant.ts';
import { readAuraSlotMs } from './settings.ts';

export type VerifierDeps = {
  readonly crypto: Crypto;
  readonly clock: Pick<Clock, 'now' | 'followsWall'>;
  readonly view: Pick<FinalityView, 'loadHeader' | 'readState'>;
  readonly equivocations: Pick<Equivocations, 'note'>;
  /** Whether the chain is a public one, which follows wall-clock time (`chainType` Live). */
  readonly isLive: boolean;
  readonly trustBlocks: boolean;
  readonly verifyOwnBlocks: boolean;
};

type Input = Parameters<Verifier['verify']>[0];
type Deps = VerifierDeps & { readonly epochs: BabeEpochs };

/**
 * The engine of the parent's runtime verifies the block, whatever the header carries: BabeApi,
 * else AuraApi, else none.
 */
export const engineOf = (runtime: Runtime): 'babe' | 'aura' | 'none' => {
  if (runtime.apiVersion('BabeApi') !== null) return 'babe';
  return runtime.apiVersion('AuraApi') === null ? 'none' : 'aura';
};

/**
 * A chain that seals faster than real time runs ahead of the wall clock. The verified blocks of its file
 * prove its time: each may be as many slots after its parent as an author here looks ahead (decision 23).
 */
const aheadSlots = 2000n;

/** Whether the block's time may follow its chain rather than only the clock. */
const hasOwnTime = ({ clock, isLive }: Deps, { origin }: Input): boolean =>
  origin === 'own' || (origin === 'file' && !clock.followsWall && !isLive);

/**
 * The last permitted slot: the clock's slot plus one, as in the SDK; later for a file of a chain with its own
 * time.
 */
const lastSlot = (deps: Deps, input: Input, slotMs: bigint, slot: bigint, parent: bigint | null): bigint => {
  if (input.origin === 'own') return slot;
  const slotAt = (ms: number): bigint => BigInt(Math.floor(ms)) / slotMs + 1n;
  const byClock = slotAt(deps.clock.now());
  if (!hasOwnTime(deps, input)) return byClock;
  const ahead = [slotAt(input.chainTimeMs), (parent ?? byClock) + aheadSlots];
  return ahead.reduce((last, one) => (one > last ? one : last), byClock);
};

type Timing = { readonly slot: bigint; readonly slotMs: bigint; readonly parent: bigint | null };

const checkSlot = (deps: Deps, input: Input, { slot, slotMs, parent }: Timing): Refusal | null => {
  const { header } = input.block;
  const last = lastSlot(deps, input, slotMs, slot, parent);
  if (slot <= last) return null;
  const what = `has slot ${slot} (${timeText(Number(slot * slotMs))})`;
  return refuse('FutureBlock', at(header, `${what}, and chain time is at slot ${last} at most`));
};

/** Uses the clock's time, or the time permitted by the block's own chain (ms since 1970). */
const checkInherents = (
  deps: Deps,
  input: Input,
  ownTimeMs: number,
  inherents: readonly Inherent[],
): Promise<Refusal | null> => {
  const { block, parent } = input;
  const nowMs = Math.max(deps.clock.now(), hasOwnTime(deps, input) ? ownTimeMs : 0);
  return deps.view.readState(parent.hash, (state) =>
    judgeInherents(targetOf(state), block, nowMs, inherents),
  );
};

/** A block may have any time within its slot. */
const endOf = ({ slot, slotMs }: Timing): number => Number((slot + 1n) * slotMs - 1n);

/** Our own blocks are not equivocations: moving the head back seals their slots again. */
const noteAuthor = (
  { clock, equivocations }: Deps,
  { origin, hash, block }: Input,
  by: { readonly engine: 'babe' | 'aura'; readonly slot: bigint; readonly author: Uint8Array },
  slotMs: bigint,
): void => {
  if (origin === 'own') return;
  equivocations.note({ ...by, hash, header: block.header }, BigInt(Math.floor(clock.now())) / slotMs);
};

/** sc-consensus-babe `BabeVerifier` and `BabeBlockImport`. */
const verifyBabe = async (deps: Deps, input: Input): Promise<Verdict | Refusal> => {
  const { crypto, epochs } = deps;
  const { hash, parent } = input;
  const { header } = input.block;
  const read = readEngineDigest(header, 'BABE');
  if (!read.ok) return read;
  const digest = readPreDigest(read.claim);
  if (digest === null)
    return refuse('BadDigest', at(header, 'has a pre-digest of BABE that does not decode'));
  const before = await epochs.at(parent);
  const { slot } = digest;
  const slotMs = before.configuration.slotDurationMs;
  const parentSlot = headerPreDigest(input.parentHeader)?.slot ?? null;
  // Block 0 counts as slot 0.
  if (slot <= (parentSlot ?? 0n)) {
    const order = `has slot ${slot}, which is not after slot ${parentSlot ?? 0n} of its parent`;
    return refuse('BadSlot', at(header, order));
  }
  const timing = { slot, slotMs, parent: parentSlot };
  const untimely = checkSlot(deps, input, timing);
  if (untimely !== null) return untimely;
  const epoch = epochs.of(before, slot);
  const announced = checkAnnouncement(header, parentSlot === null || parentSlot < epoch.startSlot);
  if (!announced.ok) return announced;
  const claim = checkClaim(crypto, header, { digest, seal: read.seal, epoch });
  if (!claim.ok) return claim;
  const { author } = claim;
  noteAuthor(deps, input, { engine: 'babe', slot, author }, slotMs);
  const refused = await checkInherents(deps, input, endOf(timing), [['babeslot', encodeU64(slot)]]);
  if (refused !== null) return refused;
  epochs.add({ hash, header }, before, epoch, announced.next);
  return { ok: true, isSealed: true, primary: digest.kind === 'primary' };
};

/** sc-consensus-aura `AuraVerifier`, which does not compare a slot with the parent's. */
const verifyAura = async (deps: Deps, input: Input): Promise<Verdict | Refusal> => {
  const { parent, runtime } = input;
  const { header } = input.block;
  const read = readEngineDigest(header, 'aura');
  if (!read.ok) return read;
  if (read.claim.length !== 8)
    return refuse('BadDigest', at(header, 'has a pre-digest of aura that is not 8 bytes long'));
  const slot = new Reader(read.claim).u64();
  const { slotMs, authorities } = await deps.view.readState(parent.hash, (state) => ({
    slotMs: readAuraSlotMs(targetOf(state)),
    authorities: auraAuthorities(targetOf(state)),
  }));
  // The runtime decides whether a slot may repeat (pallet-aura `AllowMultipleBlocksPerSlot`).
  const timing = { slot, slotMs, parent: auraSlot(input.parentHeader) };
  const untimely = checkSlot(deps, input, timing);
  if (untimely !== null) return untimely;
  const checked = checkSlotAuthor(deps.crypto, header, { slot, seal: read.seal, authorities });
  if (!checked.ok) return checked;
  const { author } = checked;
  // A collator builds several blocks in a slot, and its runtime counts them.
  if (runtime.apiVersion('AuraUnincludedSegmentApi') === null)
    noteAuthor(deps, input, { engine: 'aura', slot, author }, slotMs);
  const refused = await checkInherents(deps, input, endOf(timing), [['auraslot', encodeU64(slot)]]);
  return refused ?? { ok: true, isSealed: true, primary: false };
};

/**
 * Without an engine a seal cannot be attributed, so none is allowed: otherwise one block would have many
 * hashes.
 */
const verifyNone = async (deps: Deps, input: Input): Promise<Verdict | Refusal> => {
  const { header } = input.block;
  if (header.digest.some(isSeal))
    return refuse('BadSeal', at(header, 'has a seal, and its chain has no engine that could verify it'));
  const time = await deps.view.readState(input.parent.hash, ({ backend }) =>
    readChainTime(deps.crypto, backend),
  );
  const ahead = time === null ? 0 : Number(time + aheadSlots * stepMs);
  const refused = await checkInherents(deps, input, Math.max(input.chainTimeMs, ahead), []);
  return refused ?? { ok: true, isSealed: false, primary: false };
};

const verifyBy = { babe: verifyBabe, aura: verifyAura, none: verifyNone };

const isPrimary = (header: Header): boolean => headerPreDigest(header)?.kind === 'primary';

/** Verifies before execution who sealed a block, when, and with what right. */
export const createVerifier = (deps: VerifierDeps): Verifier => {
  const all = { ...deps, epochs: createEpochs(deps.view) };
  return {
    verify: async (input) => {
      const engine = engineOf(input.runtime);
      const isTaken = input.origin === 'own' ? !deps.verifyOwnBlocks : deps.trustBlocks;
      if (isTaken)
        return { ok: true, isSealed: true, primary: engine === 'babe' && isPrimary(input.block.header) };
      return verifyBy[engine](all, input).catch((error: unknown) => {
        if (error instanceof NodeError && error.code === 'Unsupported')
          return refuse(error.code, at(input.block.header, `cannot be verified. ${error.message}`));
        throw error;
      });
    },
  };
};
