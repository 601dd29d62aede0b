import { NodeError } from '../../../src/protocol/errors.ts';
import { readAccount } from '../../../src/scale/address.ts';
import { isListOf, isShape, isText } from '../../kit/page/guards.ts';
import type { KnownAccount } from '../accounts.ts';
import { cleanName } from '../session/chain-entry.ts';

/**
 * Argument of a wallet extension's `signPayload` (@polkadot/types, SignerPayloadJSON); numbers are big-endian
 * 0x strings.
 */
export type SignerPayload = {
  readonly address: string;
  readonly blockHash: string;
  readonly blockNumber: string;
  readonly era: string;
  readonly genesisHash: string;
  readonly method: string;
  readonly nonce: string;
  readonly specVersion: string;
  readonly tip: string;
  readonly transactionVersion: string;
  readonly signedExtensions: readonly string[];
  readonly version: number;
  /** 1 if `metadataHash` is signed. */
  readonly mode?: number;
  readonly metadataHash?: string;
};

type Enabled = {
  readonly accounts: { get(): Promise<unknown> };
  readonly signer?: { signPayload?(payload: SignerPayload): Promise<unknown> };
};
/** Newer extensions have `connect`, which returns the same. */
type Injected = { enable?(origin: string): Promise<unknown>; connect?(origin: string): Promise<unknown> };

/** An account of a browser wallet, which asks its user before signing. */
export type WalletAccount = KnownAccount & {
  readonly wallet: string;
  readonly address: string;
  /** Returns a MultiSignature as a 0x string: one byte for the scheme, then the signature. Ends with `Aborted`. */
  sign(payload: SignerPayload, signal?: AbortSignal): Promise<string>;
};

/** The accounts that are offered, and how many the wallet has. */
export type WalletAccounts = { readonly accounts: readonly WalletAccount[]; readonly listed: number };

/** More are no choice, but a list to search. */
const mostOffered = 200;

const injected = (): Readonly<Record<string, Injected>> =>
  (globalThis as { injectedWeb3?: Record<string, Injected> }).injectedWeb3 ?? {};

/** Names of the installed wallet extensions. */
export const walletNames = (): readonly string[] => Object.keys(injected());

type Named = { readonly address: string; readonly name?: string };
const isNamed = isShape<Named>({
  address: isText,
  name: (value): value is string | undefined => value === undefined || isText(value),
});

/** Whether a wallet's signature is a MultiSignature: a byte for the scheme and 64 bytes, 65 for ecdsa. */
const isSignature = (value: unknown): value is string =>
  isText(value) && /^0x(0[01][0-9a-f]{128}|02[0-9a-f]{130})$/i.test(value);

/** The wallet's words for why it refused; extensions also throw strings, or nothing. */
const wordsOf = (fault: unknown): string => {
  const words = fault instanceof Error ? fault.message : typeof fault === 'string' ? fault : '';
  return words === '' ? 'it gave no reason' : cleanName(words, longestWords);
};
const longestWords = 200;

/**
 * What a wallet answers, for which it may ask its user, so that no time is too long. Rejects with its words, or with `Aborted` once
 * nobody waits any more.
 */
const askWallet = <T>(
  wallet: string,
  what: string,
  ask: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> => {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const abort = () => reject(new NodeError('Aborted', `You no longer wait for ${wallet}. Try again.`));
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  // A wallet may throw at once.
  (async () => ask())().then(resolve, (fault) =>
    reject(new TypeError(`${wallet} did not ${what}: ${wordsOf(fault)}`, { cause: fault })),
  );
  return promise.finally(() => signal?.removeEventListener('abort', abort));
};

const isEnabled = (value: unknown): value is Enabled =>
  typeof (value as Enabled | null | undefined)?.accounts?.get === 'function';

/**
 * Requests a wallet's accounts. Rejects with the wallet's words, with `Aborted`, or if what it returns is not what wallets return.
 */
export const openWallet = async (wallet: string, signal?: AbortSignal): Promise<WalletAccounts> => {
  const found = injected()[wallet];
  if (!found?.enable && !found?.connect) throw new TypeError(`There is no wallet ${wallet} in this browser.`);
  const ask = async () => (found.enable ? found.enable('Tabnode') : found.connect?.('Tabnode'));
  const enabled = await askWallet(wallet, 'give access to its accounts', ask, signal);
  if (!isEnabled(enabled)) throw new TypeError(`${wallet} returned something else than access to accounts.`);
  const list = await askWallet(wallet, 'list its accounts', () => enabled.accounts.get(), signal);
  if (!isListOf(isNamed)(list))
    throw new TypeError(`${wallet} returned something else than a list of accounts.`);
  const signWith = async (payload: SignerPayload, signal?: AbortSignal): Promise<string> => {
    const { signer } = enabled;
    if (!signer?.signPayload) throw new TypeError(`${wallet} cannot sign transactions.`);
    const signed = await askWallet(wallet, 'sign', async () => signer.signPayload?.(payload), signal);
    const { signature } = (signed ?? {}) as { readonly signature?: unknown };
    if (isSignature(signature)) return signature;
    throw new TypeError(`${wallet} returned a signature of an unknown kind.`);
  };
  const accounts = new Map<string, WalletAccount>();
  for (const { address, name = '' } of list) {
    const id = readAccount(address);
    // Accounts of Ethereum have another address type.
    if (id === null || accounts.has(id)) continue;
    const shown = cleanName(name) || address.slice(0, 8);
    accounts.set(id, { name: shown, id, suri: null, wallet, address, sign: signWith });
  }
  return { accounts: [...accounts.values()].slice(0, mostOffered), listed: accounts.size };
};
