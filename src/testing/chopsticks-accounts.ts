import { type ApiPromise, Keyring } from '@polkadot/api';
import { createTestKeyring } from '@polkadot/keyring';

type Status = {
  readonly status: unknown;
  readonly events: unknown;
  readonly isInBlock: boolean;
  readonly isFinalized: boolean;
  readonly isError: boolean;
};

/** A signed transaction of polkadot-js, whose `send` with a listener resolves to what ends it. */
type Sendable = { send(onStatus: (status: never) => void): Promise<unknown> };

/** A promise and what settles it. */
export const defer = <T>(): PromiseWithResolvers<T> => Promise.withResolvers<T>();

/**
 * Submits a transaction. `events` resolves to those of its block's extrinsic once it is in a block, and rejects with the
 * status if it will never be.
 */
export const sendTransaction = async (
  tx: Promise<Sendable>,
): Promise<{ readonly events: Promise<unknown[]> }> => {
  const signed = await tx;
  const { promise, resolve, reject } = defer<unknown[]>();
  // Whoever does not await the events still gets the error of the submission below.
  promise.catch(() => undefined);
  let end = (): void => undefined;
  const listen = ({ status, events, isInBlock, isFinalized, isError }: Status): void => {
    if (isError) reject(status);
    else if (isInBlock || isFinalized) resolve(events as unknown[]);
    else return;
    end();
  };
  end = (await signed.send(listen as (status: never) => void)) as () => void;
  return { events: promise };
};

/** Development accounts: ed25519 by default, because such signatures are the same in each run, and those of Ethereum. */
export const testingPairs = (keyringType: 'ed25519' | 'sr25519' = 'ed25519', ss58Format?: number) => {
  const keyringEth = createTestKeyring({ type: 'ethereum' });
  const keyring = new Keyring(
    ss58Format === undefined ? { type: keyringType } : { type: keyringType, ss58Format },
  );
  return {
    alice: keyring.addFromUri('//Alice'),
    bob: keyring.addFromUri('//Bob'),
    charlie: keyring.addFromUri('//Charlie'),
    dave: keyring.addFromUri('//Dave'),
    eve: keyring.addFromUri('//Eve'),
    alith: keyringEth.getPair('0xf24FF3a9CF04c71Dbc94D0b566f7A27B94566cac'),
    baltathar: keyringEth.getPair('0x3Cd0A705a2DC65e5b1E1205896BaA2be8A07c6e0'),
    charleth: keyringEth.getPair('0x798d4Ba9baf0064Ec19eB4F0a1a45785ae9D6DFc'),
    dorothy: keyringEth.getPair('0x773539d4Ac0e786233D90A233654ccEE26a613D9'),
    ethan: keyringEth.getPair('0xFf64d3F6efE2317EE2807d223a0Bdc4c0c49dfDB'),
    keyring,
    keyringEth,
  };
};

/** A transaction of polkadot-js that can be signed without a key. */
type Fakeable = {
  readonly signature: unknown;
  signFake(address: string, options: never): unknown;
};

/** What a signature covers besides the call; polkadot-js's `SignatureOptions`. */
export type SignFakeOptions = Readonly<Record<string, unknown>>;

/** Signs with a mock signature, which is valid where mock signatures are, as in `setupContext`. */
export const signFake = (tx: Fakeable, address: string, options: SignFakeOptions): void => {
  tx.signFake(address, options as never);
  const mock = new Uint8Array(64).fill(0xcd);
  mock.set([0xde, 0xad, 0xbe, 0xef]);
  (tx.signature as Uint8Array).set(mock);
};

/** The same with the account's next nonce, immortal. */
export const signFakeWithApi = async (
  api: ApiPromise,
  tx: Fakeable,
  address: string,
  options: SignFakeOptions = {},
): Promise<void> => {
  const { genesisHash, runtimeVersion } = api;
  const nonce = options['nonce'] ?? (await api.rpc.system.accountNextIndex(address));
  signFake(tx, address, { nonce, genesisHash, runtimeVersion, blockHash: genesisHash, ...options });
};
