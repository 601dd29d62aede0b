import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToKey, equalBytes, textToBytes } from '../bytes/bytes.ts';
import { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import type { Batch, Database } from '../db/database.ts';
import { isMockSignature } from '../executor/mock-signature.ts';
import type { SignatureCache } from '../executor/signature-cache.ts';

export type ImpersonationState = {
  /** Public keys of 32 bytes, or accounts of Ethereum of 20. */
  readonly accounts: readonly Uint8Array[];
  /**
   * Whether a block may contain a mock signature: true from the first impersonation on, until the chain goes
   * back to a block before it.
   */
  readonly isTainted: boolean;
};

export const noImpersonation: ImpersonationState = { accounts: [], isTainted: false };

/** Accounts whose transactions may carry a mock signature (decision 7). */
export type Impersonation = {
  state(): ImpersonationState;
  set(state: ImpersonationState): void;
  /** Whether mock signatures are valid for every account while this node runs. */
  readonly ofEveryone: boolean;
  /** Wraps a cache so that it also confirms mock signatures of impersonated accounts. */
  over(cache: SignatureCache): SignatureCache;
};

export const maxImpersonated = 1024;

/** The state with one account added or removed. Throws `LimitReached`. */
export const impersonating = (
  { accounts, isTainted }: ImpersonationState,
  account: Uint8Array,
  enabled: boolean,
): ImpersonationState => {
  const others = accounts.filter((known) => !equalBytes(known, account));
  if (enabled && others.length >= maxImpersonated)
    throw new NodeError('LimitReached', `${maxImpersonated} accounts are impersonated already`);
  return { accounts: enabled ? [...others, account] : others, isTainted: isTainted || enabled };
};

const key = /* @__PURE__ */ textToBytes('impersonated');
/** Bytes of an account of Ethereum. */
export const ethereumBytes = 20;

const isEthereum = ({ length }: Uint8Array): boolean => length === ethereumBytes;

/** Accounts of Ethereum are a list of their own behind the others, which records of earlier versions end with. */
export const encodeImpersonation = ({ accounts, isTainted }: ImpersonationState): Uint8Array => {
  const others = accounts.filter(isEthereum);
  const writer = new Writer(64).bool(isTainted).vec(
    accounts.filter((account) => !isEthereum(account)),
    (out, account) => out.raw(account),
  );
  if (others.length > 0) writer.vec(others, (out, account) => out.raw(account));
  return writer.finish();
};

export const decodeImpersonation = (bytes: Uint8Array): ImpersonationState => {
  const reader = new Reader(bytes);
  const isTainted = reader.bool();
  const keys = reader.vec((from) => from.take(32).slice());
  const others = reader.remaining > 0 ? reader.vec((from) => from.take(ethereumBytes).slice()) : [];
  return { isTainted, accounts: [...keys, ...others] };
};

export const impersonationPut = (state: ImpersonationState): Batch['puts'][number] => [
  'meta',
  key,
  encodeImpersonation(state),
];

export const loadImpersonation = async (db: Pick<Database, 'get'>): Promise<ImpersonationState> => {
  const bytes = await db.get('meta', key);
  return bytes === null ? noImpersonation : decodeImpersonation(bytes);
};

export const createImpersonation = (stored: ImpersonationState, ofEveryone: boolean): Impersonation => {
  let state = stored;
  let keys = new Set(state.accounts.map(bytesToKey));
  const isOpen = (publicKey: Uint8Array): boolean =>
    ofEveryone || (keys.size > 0 && keys.has(bytesToKey(publicKey)));
  return {
    ofEveryone,
    state: () => state,
    set: (next) => {
      state = next;
      keys = new Set(next.accounts.map(bytesToKey));
    },
    over: (cache) => ({
      has: (scheme, signature, message, publicKey) =>
        (isOpen(publicKey) && isMockSignature(signature)) || cache.has(scheme, signature, message, publicKey),
      add: cache.add,
      get size() {
        return cache.size;
      },
      get opens() {
        return ofEveryone || state.accounts.some(isEthereum) ? isOpen : undefined;
      },
    }),
  };
};
