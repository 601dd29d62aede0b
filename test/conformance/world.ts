import type { Connection } from '../../src/connection.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { Reader } from '../../worker/bytes/reader.ts';
import { Writer } from '../../worker/bytes/writer.ts';
import type { BlockHash } from '../../worker/codec/identity.ts';
import { encodeVotes, signPrecommit } from '../../worker/consensus/grandpa/votes.fixture.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';

/**
 * Nodes for the rows, each with dialect psp-6 on the development chain, sealing and finalizing on request.
 */
export type Role =
  /** Unsafe calls allowed, nothing banned. */
  | 'open'
  /** Unsafe calls denied. */
  | 'denied'
  /** A pool with room for one transaction. */
  | 'narrow'
  /** Refused transactions are banned. */
  | 'banning';

/** How the suite reaches nodes; one implementation per transport. */
export type World = {
  connect(role: Role): Promise<Connection>;
  /** Makes one call over HTTP if the transport supports it; otherwise null. */
  readonly http: ((role: Role, method: string, params: readonly unknown[]) => Promise<unknown>) | null;
  close(): Promise<void>;
};

export type Sealed = { readonly hash: string };

export const sealBlock = async (
  connection: Connection,
  options: { readonly parent?: string; readonly finalize?: boolean } = {},
): Promise<string> => {
  const parameters = [true, options.finalize === true, options.parent ?? null];
  return ((await connection.request('engine_createBlock', parameters)) as Sealed).hash;
};

/** Queues a subscription's items: `next` resolves with the next one. */
export const createInbox = <T>() => {
  const items: T[] = [];
  const waiting: ((item: T) => void)[] = [];
  return {
    put: (item: unknown): void => {
      const take = waiting.shift();
      if (take === undefined) items.push(item as T);
      else take(item as T);
    },
    next: (): Promise<T> => {
      const item = items.shift();
      return item === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(item);
    },
  };
};

type SignOptions = {
  readonly from?: string;
  readonly nonce?: number;
  readonly tip?: bigint;
  readonly value?: bigint;
};

const crypto = loadCrypto();

const compact = (value: bigint): Uint8Array => new Writer().compact(value).finish();

/** Signs transfers on the default runtime as it is now: the hex of complete extrinsics, which are immortal. */
export const createSigner = async (connection: Connection) => {
  const { suriToPair, sr25519Sign } = await crypto;
  const [version, genesis] = (await Promise.all([
    connection.request('state_getRuntimeVersion', []),
    connection.request('chain_getBlockHash', [0]),
  ])) as [{ specVersion: number; transactionVersion: number }, string];
  const hash = hexToBytes(genesis);
  const u32 = (value: number): number[] => [...new Uint8Array(Uint32Array.of(value).buffer)];
  const implicit = [...u32(version.specVersion), ...u32(version.transactionVersion), ...hash, ...hash];
  const to = suriToPair('//Ferdie', 'sr25519').publicKey;
  return ({
    from = '//Alice',
    nonce,
    tip = 0n,
    value = 1_000_000_000_000n,
  }: SignOptions & { nonce: number }) => {
    const pair = suriToPair(from, 'sr25519');
    // Balances (4), transfer_keep_alive (3), MultiAddress::Id.
    const call = Uint8Array.of(4, 3, 0, ...to, ...compact(value));
    const extra = Uint8Array.of(0, ...compact(BigInt(nonce)), ...compact(tip));
    const signature = sr25519Sign(pair.secret, Uint8Array.of(...call, ...extra, ...implicit));
    const body = Uint8Array.of(0x84, 0, ...pair.publicKey, 1, ...signature, ...extra, ...call);
    return bytesToHex(Uint8Array.of(...compact(BigInt(body.length)), ...body));
  };
};

/** The next nonce of an account of the development chain, with what waits in the pool. */
export const nextNonce = async (connection: Connection, from = '//Alice'): Promise<number> => {
  const { publicKey } = (await crypto).suriToPair(from, 'sr25519');
  return (await connection.request('system_accountNextIndex', [bytesToHex(publicKey)])) as number;
};

/** One signed transfer, with the next nonce by default. */
export const signTransfer = async (connection: Connection, options: SignOptions = {}): Promise<string> => {
  const [sign, nonce] = await Promise.all([
    createSigner(connection),
    options.nonce ?? nextNonce(connection, options.from),
  ]);
  return sign({ ...options, nonce });
};

/** Finalizes a block with the vote of Alice, who is the only voter of the development chain. */
export const justifyBlock = async (connection: Connection, hash: string): Promise<void> => {
  const { suriToPair, ed25519Sign } = await crypto;
  const [header, setId] = (await Promise.all([
    connection.request('chain_getHeader', [hash]),
    connection.request('state_call', ['GrandpaApi_current_set_id', '0x', hash]),
  ])) as [{ number: string }, string];
  const target = { hash: hash as BlockHash, number: Number(header.number) };
  const voter = suriToPair('//Alice', 'ed25519');
  const round = 1n;
  const place = { round, setId: new Reader(hexToBytes(setId)).u64() };
  const data = encodeVotes(round, target, [signPrecommit({ ed25519Sign }, voter, target, place)]);
  await connection.request('engine_finalizeBlock', [hash, ['0x46524e4b', bytesToHex(data)]]);
};
