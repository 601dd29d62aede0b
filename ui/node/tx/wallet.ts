import { readAccount } from '../../../src/scale/address.ts';
import { isListOf, isShape, isText } from '../../kit/page/guards.ts';
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
  /** 1 if `metadataHash` is signed. */
  readonly mode?: number;
  readonly metadataHash?: string;
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

type Named = { readonly address: string; readonly name?: string };
const isNamed = isShape<Named>({
  address: isText,
  name: (value): value is string | undefined => value === undefined || isText(value),
});

/** Whether a wallet's signature is a MultiSignature: a byte for the scheme and 64 bytes, 65 for ecdsa. */
const isSignature = (value: unknown): value is string =>
  isText(value) && /^0x(0[01][0-9a-f]{128}|02[0-9a-f]{130})$/i.test(value);

/**
 * Requests a wallet's accounts, for which the wallet asks its user. Rejects with the wallet's error, or if what it returns is not what
 * wallets return.
 */
export const openWallet = async (wallet: string): Promise<readonly WalletAccount[]> => {
  const found = injected()[wallet];
  if (!found?.enable) throw new TypeError(`There is no wallet ${wallet} in this browser.`);
  const { accounts, signer } = await found.enable('Tabnode');
  const list: unknown = await accounts.get();
  if (!isListOf(isNamed)(list))
    throw new TypeError(`${wallet} returned something else than a list of accounts.`);
  return list.flatMap(({ address, name }) => {
    const id = readAccount(address);
    if (id === null) return []; // an Ethereum account, which has another address type
    const sign = async (payload: SignerPayload): Promise<string> => {
      if (!signer.signPayload) throw new TypeError(`${wallet} cannot sign transactions.`);
      const { signature } = await signer.signPayload(payload);
      if (isSignature(signature)) return signature;
      throw new TypeError(`${wallet} returned a signature of an unknown kind.`);
    };
    return [{ name: name ?? address.slice(0, 8), id, suri: null, wallet, address, sign }];
  });
};
