import { NodeError } from '../../src/protocol/errors.ts';
import { createBoundedMap } from '../bytes/bounded-map.ts';
import { bytesToKey } from '../bytes/bytes.ts';
import { type Block, encodeBlock } from '../codec/block.ts';
import { type Header, splitSeals } from '../codec/header.ts';
import { type BlockHash, bytesToBlockHash } from '../codec/identity.ts';
import type { CallOptions, CallResult, Runtime } from '../executor/executor.ts';
import type { SignatureCache } from '../executor/signature-cache.ts';
import type { Overlay } from '../state/overlay.ts';
import { createRecordedOverlay } from '../state/recorded-overlay.ts';
import type { NodeBatch } from '../trie/node-source.ts';
import { createProofRecorder } from '../trie/proof-recorder.ts';
import { continuesBundle, readBundlePlace } from './bundle.ts';
import { stateVersion } from './hashes.ts';
import type { TrieStore } from './states/trie-store.ts';
import type { ChainView } from './view.ts';

/**
 * Whether blocks of a runtime are executed while their proof is recorded: a parachain's are, because its
 * runtime counts the size of the proof as weight (sc-service, `new_full_parts_record_import`). Other chains
 * get u64::MAX.
 */
export const recordsProofSize = (runtime: Pick<Runtime, 'apiVersion'>): boolean =>
  runtime.apiVersion('CollectCollationInfo') !== null ||
  runtime.apiVersion('AuraUnincludedSegmentApi') !== null;

/** What a block on a state reads, while it is built or executed. */
export type Recording = {
  /** The root of the state. */
  readonly stateRoot: Uint8Array;
  /** An overlay without changes that records. */
  openOverlay(): Overlay;
  /** The trie nodes and hashed values read so far, each once, without those of earlier blocks of the bundle. */
  witness(): readonly Uint8Array[];
  /**
   * Keeps what later blocks of the same bundle ignore: what this one has read, and the nodes it has
   * created.
   */
  executed(hash: BlockHash, created: NodeBatch): void;
};

/** A block as it is known before it is executed. */
export type Opened = Pick<Header, 'parentHash' | 'digest'>;

/** The result of executing a stored block again. */
export type Rerun = {
  readonly result: CallResult;
  readonly runtime: Runtime;
  readonly recording: Recording;
  readonly overlay: Overlay;
};

export type Proofs = {
  /** Throws `UnknownBlock`, `StateDiscarded`. */
  record(runtime: Runtime, opened: Opened): Promise<Recording>;
  /**
   * `Core_execute_block` on the parent's state. `observe` may wrap the overlay; it is called again for each
   * attempt, and only the last attempt counts. Throws `UnknownBlock` for the parent.
   */
  rerun(block: Block, observe: (overlay: Overlay) => Overlay, options?: CallOptions): Promise<Rerun>;
};

export type ProofsDeps = {
  readonly store: Pick<TrieStore, 'run'>;
  readonly signatures: SignatureCache;
  readonly view: Pick<ChainView, 'backendAt' | 'runtimeAt' | 'loadHeader' | 'loadBlock' | 'whileKept'>;
};

type Ignored = ReadonlySet<string>;
const nothing: Ignored = new Set();

/** Of this many blocks it is known what the next one of the bundle ignores. Others are executed again. */
const keptBlocks = 16;

export const createProofs = ({ store, view, signatures }: ProofsDeps): Proofs => {
  const kept = createBoundedMap<BlockHash, Ignored>(keptBlocks);
  const record: Proofs['record'] = async (runtime, opened) => {
    const isCounted = recordsProofSize(runtime);
    const backend = await view.backendAt(bytesToBlockHash(opened.parentHash));
    const ignored = isCounted ? await ignoredBy(opened) : nothing;
    const recorder = createProofRecorder(ignored);
    return {
      stateRoot: backend.root,
      openOverlay: () => createRecordedOverlay(backend, recorder, isCounted),
      witness: recorder.nodes,
      executed: (hash, created) => {
        if (!isCounted || readBundlePlace(opened.digest) === null) return;
        const all = new Set([...ignored, ...recorder.hashes()]);
        for (const [name] of created) all.add(bytesToKey(name));
        kept.keep(hash, all);
      },
    };
  };
  const rerun: Proofs['rerun'] = async (block, observe, options = {}) => {
    const parent = bytesToBlockHash(block.header.parentHash);
    const runtime = await view.runtimeAt(parent, 'onchain');
    const recording = await record(runtime, block.header);
    const input = encodeBlock({ header: splitSeals(block.header).unsealed, extrinsics: block.extrinsics });
    const attempt = () => {
      const overlay = recording.openOverlay();
      const result = runtime.call(observe(overlay), 'Core_execute_block', input, {
        fuel: 'sealed',
        verifiedSignatures: signatures,
        ...options,
      });
      return { result, overlay };
    };
    return { ...(await view.whileKept(parent, () => store.run(attempt))), runtime, recording };
  };
  /** Executes a stored block of a bundle again, of which it is not known what it has read. */
  const readAgain = async (hash: BlockHash): Promise<Ignored> => {
    const block = await view.loadBlock(hash);
    if (block === null) return nothing;
    const { result, runtime, recording, overlay } = await rerun(block, (own) => own);
    if (!result.ok)
      throw new NodeError(
        'BadBlock',
        `An earlier block of the bundle, ${hash}, cannot be executed again: ${result.trap}`,
      );
    const { nodes } = await store.run(() => overlay.commit(stateVersion(runtime)));
    recording.executed(hash, nodes);
    return kept.get(hash) ?? nothing;
  };
  /** What a block does not record, because the blocks of its bundle before it have read or created it. */
  const ignoredBy = async ({ parentHash, digest }: Opened): Promise<Ignored> => {
    const place = readBundlePlace(digest);
    if (place === null) return nothing;
    const parent = bytesToBlockHash(parentHash);
    const header = await view.loadHeader(parent);
    const before = header === null ? null : readBundlePlace(header.digest);
    if (before === null || !continuesBundle(before, place)) return nothing;
    return kept.get(parent) ?? readAgain(parent);
  };
  return { record, rerun };
};
