import { readAccount } from '../../../src/scale/address.ts';
import type { KnownAccount } from '../accounts.ts';

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
  readonly mode?: number;
};

type Enabled = {
  readonly accounts: { get(): Promise<readonly { readonly address: string; readonly name?: string }[]> };
  readonly signer: { signPayload?(payload: SignerPayload): Promise<{ readonly signature: string }> };
};
type Injected = { enable?(origin: string): Promise<Enabled> };

/** An account of a browser wallet, which asks its user before signing. */
export type WalletAccount = KnownAccount & {
  readonly wallet: string;
  readonly address: string;
  /** Returns a MultiSignature as a 0x string: one byte for the scheme, then the signature. */
  sign(payload: SignerPayload): Promise<string>;
};

const injected = (): Readonly<Record<string, Injected>> =>
  (globalThis as { injectedWeb3?: Record<string, Injected> }).injectedWeb3 ?? {};

/** Names of the installed wallet extensions. */
export const walletNames = (): readonly string[] => Object.keys(injected());

/** Requests a wallet's accounts, for which the wallet asks its user. Rejects with the wallet's error. */
export const openWallet = async (wallet: string): Promise<readonly WalletAccount[]> => {
  const found = injected()[wallet];
  if (!found?.enable) throw new TypeError(`There is no wallet ${wallet} in this browser.`);
  const { accounts, signer } = await found.enable('Tabnode');
  const list = await accounts.get();
  return list.flatMap(({ address, name }) => {
    const id = readAccount(address);
    if (id === null) return []; // an Ethereum account, which has another address type
    const sign = async (payload: SignerPayload): Promise<string> => {
      if (!signer.signPayload) throw new TypeError(`${wallet} cannot sign transactions.`);
      return (await signer.signPayload(payload)).signature;
    };
    return [{ name: name ?? address.slice(0, 8), id, suri: null, wallet, address, sign }];
  });
};
