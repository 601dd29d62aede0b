import { readAccount } from '../meta/address.ts';
import type { KnownAccount } from '../state/accounts.ts';

/** What `signPayload` of a wallet extension takes (@polkadot/types, SignerPayloadJSON): numbers as big-endian 0x text. */
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

/** An account of a browser wallet, which asks its owner before it signs. */
export type WalletAccount = KnownAccount & {
  readonly wallet: string;
  /** A MultiSignature as 0x text: a byte for the scheme, then the signature. */
  sign(payload: SignerPayload): Promise<string>;
};

const injected = (): Readonly<Record<string, Injected>> =>
  (globalThis as { injectedWeb3?: Record<string, Injected> }).injectedWeb3 ?? {};

/** Names of the wallet extensions that this page can ask. */
export const walletNames = (): readonly string[] => Object.keys(injected());

/** Asks one wallet for its accounts; it asks its owner first. Rejects with what the wallet says. */
export const openWallet = async (wallet: string): Promise<readonly WalletAccount[]> => {
  const found = injected()[wallet];
  if (!found?.enable) throw new TypeError(`There is no wallet ${wallet} in this browser.`);
  const { accounts, signer } = await found.enable('Tabnode');
  const list = await accounts.get();
  return list.flatMap(({ address, name }) => {
    const id = readAccount(address);
    if (id === null) return []; // an Ethereum account: another address type
    const sign = async (payload: SignerPayload): Promise<string> => {
      if (!signer.signPayload) throw new TypeError(`${wallet} signs no transactions.`);
      return (await signer.signPayload(payload)).signature;
    };
    return [{ name: name ?? address.slice(0, 8), id, suri: null, wallet, sign }];
  });
};
