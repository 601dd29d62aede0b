import { NodeError } from '../../src/protocol/errors.ts';
import { DecodeFault } from '../../src/scale/cursor.ts';
import { EncodeFault } from '../../src/scale/encode.ts';
import { birthOf } from '../../src/scale/era.ts';
import { addressJson, encodeCall } from '../../src/scale/extrinsic.ts';
import type { RuntimeMeta } from '../../src/scale/types.ts';
import type { Author } from '../author/author.ts';
import { bytesToKey, concatBytes, equalBytes, noBytes } from '../bytes/bytes.ts';
import { bytesToHex } from '../bytes/hex.ts';
import { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import type { Chain } from '../chain/chain.ts';
import type { Header } from '../codec/header.ts';
import { type BlockHash, blockHashToBytes } from '../codec/identity.ts';
import type { Crypto } from '../crypto/crypto.ts';
import type { KeyPair } from '../crypto/keys.ts';
import { itemPrefix } from '../crypto/storage-keys.ts';
import { accountNonce, targetOf } from '../executor/runtime-api.ts';
import type { Keystore } from '../keystore/keystore.ts';
import type { Pool, TransactionStatus } from '../pool/pool.ts';
import { isTerminal } from '../pool/watchers.ts';
import { loadMeta } from './metadata.ts';
import { type Signing, signTransaction } from './transaction.ts';

export type FundDeps = {
  readonly chain: Chain;
  readonly pool: Pool;
  readonly author: Author;
  readonly keystore: Pick<Keystore, 'pairs'>;
  readonly crypto: Pick<Crypto, 'twox128' | 'blake2b128' | 'blake2b256' | 'sr25519Sign'>;
  readonly setStorage: (
    hash: BlockHash,
    pairs: readonly (readonly [Uint8Array, Uint8Array | null])[],
  ) => Promise<void>;
};

export type Funded = { readonly hash: BlockHash; readonly by: 'sudo' | 'storage' };

const accountKey = (deps: FundDeps, account: Uint8Array): Uint8Array =>
  concatBytes(itemPrefix(deps.crypto, 'System', 'Account'), deps.crypto.blake2b128(account), account);

const read = ({ chain }: FundDeps, hash: BlockHash, key: Uint8Array): Promise<Uint8Array | null> =>
  chain.withState(hash, (backend) => backend.get(key));

/** Null for a transaction that the runtime's metadata does not describe. */
const orNull = <T>(encode: () => T): T | null => {
  try {
    return encode();
  } catch (fault) {
    if (fault instanceof EncodeFault || fault instanceof DecodeFault) return null;
    throw fault;
  }
};

/** The sudo key's pair, if the keystore has it under any authoring key type. */
const findSudo = async (deps: FundDeps): Promise<KeyPair | null> => {
  const key = await read(deps, deps.chain.best().hash, itemPrefix(deps.crypto, 'Sudo', 'Key'));
  if (key === null) return null;
  const pairs = [...deps.keystore.pairs('babe'), ...deps.keystore.pairs('aura')];
  return pairs.find(({ scheme, publicKey }) => scheme === 'sr25519' && equalBytes(publicKey, key)) ?? null;
};

/** `Sudo.sudo(Balances.force_set_balance(who, new_free))`; null if these calls do not exist in this form. */
const encodeFunding = (meta: RuntimeMeta, account: Uint8Array, amount: bigint): Uint8Array | null =>
  orNull(() => {
    const who = addressJson(meta, bytesToHex(account));
    const call = { Balances: { force_set_balance: { who, new_free: amount } } };
    return encodeCall(meta, 'Sudo', 'sudo', { call });
  });

/** The next free nonce, including pending transactions. */
const nextNonce = async ({ chain, pool }: FundDeps, account: Uint8Array): Promise<number> => {
  const { hash } = chain.best();
  const runtime = await chain.runtimeAt(hash);
  let nonce = await chain.withState(hash, (backend) => accountNonce(targetOf({ backend, runtime }), account));
  const tagOf = (value: number): string =>
    bytesToKey(concatBytes(account, new Writer(4).u32(value).finish()));
  while (pool.provider(tagOf(nonce)) !== undefined) nonce++;
  return nonce;
};

/**
 * How often it is signed again, and how many blocks each attempt may take. Transactions in the pool may be
 * included before it.
 */
const maxTries = 4;
const maxBlocks = 16;
/**
 * A block that ends a session is full without transactions, and one after a move of the head may include only
 * some.
 */
const maxEmpty = 2;

type Inclusion = { readonly block: BlockHash } | { readonly why: string };

/** Seals until the transaction is in a block, sealed here or by the seal mode, or has left the pool. */
const sealUntilIn = async (
  { author }: FundDeps,
  ended: () => TransactionStatus | null,
): Promise<Inclusion> => {
  let empty = 0;
  for (let sealed = 0; sealed < maxBlocks && empty < maxEmpty; sealed++) {
    const result = await author.seal({ createEmpty: false, finalize: false });
    // The pool has processed the chain by now, so the transaction's last status is known.
    const status = ended();
    if (status !== null) return 'index' in status ? status : { why: `it ended as ${status.kind}` };
    if (!result.ok && result.code !== 'EmptyPool') throw new NodeError(result.code, result.message);
    // Nothing is ready: the transaction depends on one that was removed when the head was moved.
    if (!result.ok) return { why: 'the head was moved meanwhile' };
    if (result.included === 0) empty++;
  }
  return { why: 'no block took it in' };
};

const include = async (deps: FundDeps, extrinsic: Uint8Array): Promise<Inclusion> => {
  const { pool } = deps;
  const submitted = await pool.submit(extrinsic, 1);
  if (!submitted.ok) return { why: `it was refused: ${submitted.reason}` };
  const { hash } = submitted;
  let last: TransactionStatus | null = null;
  const stop = pool.watch(hash, (status) => {
    if (status.kind === 'inBlock' || isTerminal(status)) last ??= status;
  });
  try {
    return await sealUntilIn(deps, () => last);
  } finally {
    stop();
    if (pool.get(hash) !== null) pool.remove([hash], false);
  }
};

const period = 64;

/**
 * On a fork, a transaction is signed for its own blocks: an immortal one could be submitted to the live chain. The fork has one
 * after this.
 */
const ownEra = async ({ chain, author }: FundDeps): Promise<Pick<Signing, 'mortal'>> => {
  if (chain.spec.genesis.kind !== 'live') return {};
  if (chain.best().number === chain.base.number) {
    const sealed = await author.seal({ createEmpty: true, finalize: false });
    if (!sealed.ok && sealed.code !== 'EmptyPool') throw new NodeError(sealed.code, sealed.message);
  }
  const best = chain.best();
  const { parentHash } = (await chain.loadHeader(best.hash)) as Header;
  return { mortal: { period, ...birthOf(best, bytesToHex(parentHash), chain.base.number) } };
};

/**
 * Null if the chain has no sudo key or we do not hold it. Throws `Aborted` if the head moves faster than
 * blocks are sealed.
 */
const fundBySudo = async (
  deps: FundDeps,
  meta: RuntimeMeta,
  account: Uint8Array,
  amount: bigint,
): Promise<BlockHash | null> => {
  const { chain, crypto } = deps;
  const signer = await findSudo(deps);
  const call = encodeFunding(meta, account, amount);
  if (signer === null || call === null) return null;
  const genesis = blockHashToBytes(chain.genesisHash);
  let why = '';
  for (let tries = 0; tries < maxTries; tries++) {
    const era = await ownEra(deps);
    const { version } = await chain.runtimeAt(chain.best().hash);
    const nonce = await nextNonce(deps, signer.publicKey);
    const signing = { nonce, genesis, version, ...era };
    const extrinsic = orNull(() => signTransaction(crypto, meta, call, signer, signing));
    if (extrinsic === null) return null;
    const included = await include(deps, extrinsic);
    if ('block' in included) return included.block;
    ({ why } = included);
  }
  throw new NodeError('Aborted', `The sudo extrinsic was sent ${maxTries} times; ${why}`);
};

/**
 * frame_system::AccountInfo with pallet-balances' AccountData: four u32, then free, reserved, frozen and
 * flags as u128.
 */
const infoLength = 80;
const freeAt = 16;
/** The account follows pallet-balances' rules of 2023 (`ExtraFlags`). */
const newLogic = 1n << 127n;

const readFree = (info: Uint8Array | null): bigint =>
  info === null ? 0n : new Reader(info.subarray(freeAt)).u128();

const freshInfo = (): Uint8Array =>
  new Writer(infoLength).u32(0).u32(0).u32(1).u32(0).u128(0n).u128(0n).u128(0n).u128(newLogic).finish();

/** Throws `Unsupported` if the accounts are stored differently. */
const fundByStorage = async (deps: FundDeps, account: Uint8Array, amount: bigint): Promise<BlockHash> => {
  const { hash } = deps.chain.best();
  const prefix = itemPrefix(deps.crypto, 'System', 'Account');
  const key = accountKey(deps, account);
  const info = await read(deps, hash, key);
  const sample = await deps.chain.withState(hash, (backend) => {
    const [first] = backend.keysPaged(prefix, 1, null);
    return first === undefined ? noBytes : backend.get(first);
  });
  const issuanceKey = itemPrefix(deps.crypto, 'Balances', 'TotalIssuance');
  const issuance = await read(deps, hash, issuanceKey);
  if (sample?.length !== infoLength || issuance?.length !== 16)
    throw new NodeError('Unsupported', 'The accounts of this runtime have a form this node does not know');
  const after = (info ?? freshInfo()).slice();
  after.set(new Writer(16).u128(amount).finish(), freeAt);
  const total = new Reader(issuance).u128() + amount - readFree(info);
  if (total >= 2n ** 128n) throw new NodeError('Unsupported', 'The total issuance would not fit a u128');
  await deps.setStorage(hash, [
    [key, after],
    [issuanceKey, new Writer(16).u128(total).finish()],
  ]);
  return hash;
};

/**
 * Sets an account's free balance: with a normal block if possible, else by changing the state (decision 6).
 */
export const fund = async (deps: FundDeps, account: Uint8Array, amount: bigint): Promise<Funded> => {
  const meta = await loadMeta(deps.chain, deps.chain.best().hash);
  const hash = meta === null ? null : await fundBySudo(deps, meta, account, amount);
  if (hash === null) return { hash: await fundByStorage(deps, account, amount), by: 'storage' };
  const info = await read(deps, hash, accountKey(deps, account));
  // The sudo account pays the fee, and it may also be the author who receives it.
  const isSigner = equalBytes(account, (await findSudo(deps))?.publicKey ?? noBytes);
  if (!isSigner && info?.length === infoLength && readFree(info) !== amount)
    throw new NodeError(
      'Unsupported',
      'The runtime did not set that balance: it may be below the existential deposit',
    );
  return { hash, by: 'sudo' };
};
