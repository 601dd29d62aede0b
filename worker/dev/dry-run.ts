import { NodeError } from '../../src/protocol/errors.ts';
import type { Json, RuntimeMeta } from '../../src/scale/types.ts';
import type { Author } from '../author/author.ts';
import type { DryChange } from '../author/dry-run.ts';
import { equalBytes } from '../bytes/bytes.ts';
import { Reader } from '../bytes/reader.ts';
import type { Chain } from '../chain/chain.ts';
import { type DispatchErrorJson, readDispatchError } from '../codec/dispatch-error.ts';
import { type BlockHash, blockHashToBytes, bytesToBlockHash } from '../codec/identity.ts';
import { isMockSignature } from '../executor/mock-signature.ts';
import { type ApplyOutcome, accountNonce, targetOf } from '../executor/runtime-api.ts';
import type { SignatureCache } from '../executor/signature-cache.ts';
import { explainExtrinsic } from './explain-extrinsic.ts';
import { loadMeta, withNodeErrors } from './metadata.ts';
import { nameState } from './named-state.ts';
import type { StoragePair } from './storage-names.ts';
import { mockTransaction } from './transaction.ts';

export type DryRunDeps = {
  readonly chain: Chain;
  readonly author: Pick<Author, 'dryRun'>;
  readonly signatures: SignatureCache;
};

/** A complete extrinsic, or a call with the account that dispatches it. */
export type DryRunOf = Uint8Array | { readonly call: Uint8Array; readonly account: Uint8Array };

export type DryRan =
  | { readonly applied: false; readonly outcome: Exclude<ApplyOutcome, { kind: 'applied' }> }
  | {
      readonly applied: true;
      /** Null if the dispatch succeeded. */
      readonly error: DispatchErrorJson | null;
      /** The changed keys of the main trie, in order, with their new values. */
      readonly changes: readonly StoragePair[];
      /**
       * The same changes by name, before and after. Throws `Unsupported` if the metadata is older than V14.
       */
      named(): NamedChanges & {
        /** What the rest of the block changes, if it was requested. */
        readonly hooks?: { readonly initialization: NamedChanges; readonly finalization: NamedChanges };
      };
    };

type NamedChanges = { readonly old: Record<string, Json>; readonly new: Record<string, Json> };

const oldMetadata = (): NodeError =>
  new NodeError(
    'Unsupported',
    'The metadata of this runtime is older than V14: give a whole extrinsic and ask for `raw`',
  );

/** Also accepts mock signatures of one account, for this run only. */
const openedFor = (known: SignatureCache, account: Uint8Array): SignatureCache => ({
  has: (scheme, signature, message, publicKey) =>
    (equalBytes(publicKey, account) && isMockSignature(signature)) ||
    known.has(scheme, signature, message, publicKey),
  add: () => undefined,
  size: known.size,
  opens: (signer) => equalBytes(signer, account) || known.opens?.(signer) === true,
});

const signFor = async (
  { chain }: DryRunDeps,
  hash: BlockHash,
  meta: RuntimeMeta,
  { call, account }: Exclude<DryRunOf, Uint8Array>,
): Promise<Uint8Array> => {
  const runtime = await chain.runtimeAt(hash);
  const nonce = await chain.withState(hash, (backend) =>
    accountNonce(targetOf({ backend, runtime }), account),
  );
  const genesis = blockHashToBytes(chain.genesisHash);
  const { version } = runtime;
  return withNodeErrors(() => mockTransaction(meta, call, account, { nonce, genesis, version }));
};

/** Resolves a pallet's own error to its name, if the metadata has it. */
const readError = (bytes: Uint8Array, meta: RuntimeMeta | null): DispatchErrorJson => {
  const error = readDispatchError(new Reader(bytes));
  const [index, own] = bytes[0] === 3 ? [bytes[1], bytes[2]] : [];
  if (own === undefined || meta === null) return error;
  const pallet = meta.palletAt(index ?? -1);
  const errors = pallet?.errors === undefined ? null : meta.lookup(pallet.errors.type);
  const [name] =
    Object.entries(errors?.type === 'enum' ? errors.value : {}).find(([, { idx }]) => idx === own) ?? [];
  return pallet === null || name === undefined ? error : { Module: `${pallet.name}.${name}` };
};

/** `DigestItem::RuntimeEnvironmentUpdated` (sp_runtime, generic/digest.rs). */
const upgradeTag = 8;

/** The metadata of the runtime that wrote a block's state: its parent's, in the block of an upgrade. */
const loadWriter = async (
  chain: Chain,
  hash: BlockHash,
  meta: RuntimeMeta | null,
): Promise<RuntimeMeta | null> => {
  const header = await chain.view.loadHeader(hash);
  const isUpgrade = header?.digest.some(([tag]) => tag === upgradeTag) ?? false;
  return header === null || !isUpgrade ? meta : loadMeta(chain, bytesToBlockHash(header.parentHash));
};

/** The runtime panics on bytes that it cannot decode. The metadata shows what is wrong with them. */
const explainTrap = (error: unknown, meta: RuntimeMeta | null, extrinsic: Uint8Array): unknown => {
  if (!(error instanceof NodeError) || error.code !== 'RuntimeTrap' || meta === null) return error;
  const why = explainExtrinsic(meta, extrinsic);
  return why === null
    ? error
    : new NodeError('BadExtrinsic', `The bytes are not an extrinsic of this runtime: ${why}`);
};

const nameChanges = (before: RuntimeMeta, after: RuntimeMeta, list: readonly DryChange[]): NamedChanges => ({
  old: nameState(
    before,
    list.map((one) => [one.key, one.before]),
  ),
  new: nameState(
    after,
    list.map((one) => [one.key, one.after]),
  ),
});

/** Runs an extrinsic in a block that is dropped, and returns its effects. */
export const dryRun = async (
  deps: DryRunDeps,
  hash: BlockHash,
  what: DryRunOf,
  withHooks: boolean,
): Promise<DryRan> => {
  const { chain, author, signatures } = deps;
  const meta = await loadMeta(chain, hash);
  const isWhole = what instanceof Uint8Array;
  if (!isWhole && meta === null) throw oldMetadata();
  const extrinsic = isWhole ? what : await signFor(deps, hash, meta as RuntimeMeta, what);
  const opened = isWhole ? signatures : openedFor(signatures, what.account);
  const options = { signatures: opened, withHooks };
  const { outcome, changes, hooks } = await author
    .dryRun(hash, extrinsic, options)
    .catch((error: unknown) => {
      throw explainTrap(error, meta, extrinsic);
    });
  if (outcome.kind !== 'applied') return { applied: false, outcome };
  const { dispatchError } = outcome;
  const writer = await loadWriter(chain, hash, meta);
  return {
    applied: true,
    error: dispatchError === null ? null : readError(dispatchError, meta),
    changes: changes.map(({ key, after }) => [key, after]),
    named: () => {
      if (meta === null || writer === null) throw oldMetadata();
      const name = (list: readonly DryChange[]): NamedChanges => nameChanges(writer, meta, list);
      if (hooks === null) return name(changes);
      const { initialization, finalization } = hooks;
      return {
        ...name(changes),
        hooks: { initialization: name(initialization), finalization: name(finalization) },
      };
    },
  };
};
