import { equalBytes } from '../bytes/bytes.ts';
import { Writer } from '../bytes/writer.ts';
import type { BlockHash } from '../codec/identity.ts';
import { peerIdBytes } from '../crypto/peer-id.ts';
import type { KeystoreHost, OffchainHost, OffchainHttpHost } from '../executor/extensions.ts';
import { type Answers, Waiting } from './answers.ts';
import type { RunClock } from './clock.ts';
import type { OffchainStorage, Owner } from './storage.ts';

export type HostDeps = {
  readonly storage: Pick<OffchainStorage, 'peek' | 'load' | 'write'>;
  readonly keystore: KeystoreHost;
  /** Submits to the pool as a local transaction; returns whether it was accepted. */
  readonly submit: (extrinsic: Uint8Array) => Promise<boolean>;
  readonly isAuthority: boolean;
  /** The node's ed25519 public key in the network. */
  readonly peerKey: () => Uint8Array;
};

const seedBytes = 32;

/** A worker's keystore. Signatures and new keys are recorded like all other results. */
export const createWorkerKeystore = (keystore: KeystoreHost, answers: Answers): KeystoreHost => ({
  publicKeys: (keyType, scheme) => answers.now(() => keystore.publicKeys(keyType, scheme)),
  generate: (keyType, scheme, suri) => answers.now(() => keystore.generate(keyType, scheme, suri)),
  sign: (keyType, scheme, publicKey, message) =>
    answers.now(() => keystore.sign(keyType, scheme, publicKey, message)),
  signPrehashed: (keyType, publicKey, digest) =>
    answers.now(() => keystore.signPrehashed(keyType, publicKey, digest)),
});

type LocalStorage = Pick<
  OffchainHost,
  'localStorageGet' | 'localStorageSet' | 'localStorageClear' | 'localStorageCompareAndSet'
>;

/** Kind 1 is LOCAL, whose values belong to the block. */
const createLocalStorage = (deps: HostDeps, block: BlockHash, answers: Answers): LocalStorage => {
  const { storage } = deps;
  const ownerOf = (kind: number): Owner => (kind === 1 ? block : null);
  const read = (owner: Owner, key: Uint8Array): Uint8Array | null => {
    const value = storage.peek(owner, key);
    if (value === undefined) throw new Waiting(storage.load(owner, key));
    return value;
  };
  return {
    localStorageGet: (kind, key) => answers.now(() => read(ownerOf(kind), key)),
    localStorageSet: (kind, key, value) => answers.now(() => storage.write(ownerOf(kind), key, value)),
    localStorageClear: (kind, key) => answers.now(() => storage.write(ownerOf(kind), key, null)),
    localStorageCompareAndSet: (kind, key, old, value) =>
      answers.now(() => {
        const owner = ownerOf(kind);
        const present = read(owner, key);
        const same = present === null || old === null ? present === old : equalBytes(present, old);
        if (same) storage.write(owner, key, value);
        return same;
      }),
  };
};

/** The offchain extension for one run of a worker. All results are recorded in `answers`. */
export const createOffchainHost = (
  deps: HostDeps,
  run: {
    readonly block: BlockHash;
    readonly answers: Answers;
    readonly clock: RunClock;
    readonly http: OffchainHttpHost;
  },
): OffchainHost => {
  const { answers, clock, http } = run;
  return {
    ...createLocalStorage(deps, run.block, answers),
    http,
    isValidator: () => deps.isAuthority,
    submitTransaction: (extrinsic) => answers.later(() => deps.submit(extrinsic)),
    // The SDK wraps the id's bytes once more. There are no addresses, because the node does not listen.
    networkState: () => ({
      peerId: new Writer().vecBytes(peerIdBytes(deps.peerKey())).finish(),
      addresses: [],
    }),
    timestampMs: () => answers.now(() => BigInt(Math.trunc(clock.now()))),
    sleepUntilMs: (deadline) =>
      answers.now(() => {
        if (BigInt(Math.trunc(clock.now())) < deadline) throw new Waiting(clock.until(Number(deadline)));
      }),
    randomSeed: () => answers.now(() => globalThis.crypto.getRandomValues(new Uint8Array(seedBytes))),
    // No peers are connected, so there is nothing to restrict.
    setAuthorizedNodes: () => undefined,
  };
};
