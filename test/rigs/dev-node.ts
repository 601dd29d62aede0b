import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import type { NodeConfig } from '../../src/protocol/node.ts';
import { concatBytes, textToBytes } from '../../worker/bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { Reader } from '../../worker/bytes/reader.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import type { Database } from '../../worker/db/database.ts';
import { createMemoryDatabase } from '../../worker/db/memory.ts';
import { createNode, type Node, type Platform } from '../../worker/node.ts';
import { openApi } from './api.ts';
import { forgeTransfer, mockSignature } from './forged.ts';
import { createTestPlatform, testConfig } from './platform.ts';
import { openPort } from './ports.ts';

export type DevNode = Awaited<ReturnType<typeof startDevNode>>;

/** The error that the work rejects with; null if there is none. */
export const rejection = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

/** A real node with a client, and helpers for the tests of the dev methods. */
export const startDevNode = async (
  options: {
    readonly chain?: NodeConfig['chain'];
    readonly changes?: Partial<NodeConfig>;
    readonly db?: Database;
    readonly schedule?: Platform['schedule'];
  } = {},
) => {
  await cryptoWaitReady();
  const crypto = await loadCrypto();
  const db = options.db ?? createMemoryDatabase();
  const { schedule } = options;
  const platform = { ...createTestPlatform({ db }), ...(schedule && { schedule }) };
  const config = testConfig(options.chain ?? 'development', options.changes);
  const node: Node = await createNode(platform, config);
  const port = openPort(node);
  const call = <T = unknown>(method: string, ...params: unknown[]): Promise<T> =>
    port.request(method, params) as Promise<T>;
  const twox = (name: string): Uint8Array => crypto.twox128(textToBytes(name));
  const itemKey = (pallet: string, item: string): string => bytesToHex(concatBytes(twox(pallet), twox(item)));
  const read = async (key: string, at?: string): Promise<Uint8Array | null> => {
    const value = await call<string | null>('state_getStorage', key, at ?? null);
    return value === null ? null : hexToBytes(value);
  };
  const pair = (suri: string) => new Keyring({ type: 'sr25519' }).addFromUri(suri);
  const accountKey = (account: Uint8Array): string =>
    bytesToHex(concatBytes(hexToBytes(itemKey('System', 'Account')), crypto.blake2b128(account), account));
  const follow = async (method: string, ...params: unknown[]): Promise<unknown[]> => {
    const items: unknown[] = [];
    await port.subscribe(method, params, (item) => items.push(item));
    return items;
  };
  return {
    node,
    db,
    platform,
    call,
    follow,
    itemKey,
    accountKey,
    read,
    pair,
    best: () => node.parts.chain.best(),
    finalized: () => node.parts.chain.finalized(),
    free: async (account: Uint8Array): Promise<bigint> => {
      const info = await read(accountKey(account));
      return info === null ? 0n : new Reader(info.subarray(16)).u128();
    },
    chainTime: async (at?: string): Promise<number> =>
      Number(new Reader((await read(itemKey('Timestamp', 'Now'), at)) as Uint8Array).u64()),
    /** A signed transfer as hex. */
    transfer: async (from: string, to: Uint8Array, value: bigint, nonce: number): Promise<string> => {
      const { api, close } = await openApi(node);
      const signed = await api.tx['balances']?.['transferAllowDeath']?.(to, value).signAsync(pair(from), {
        nonce,
        era: 0,
      });
      await close();
      if (signed === undefined) throw new Error('no transfer call');
      return signed.toHex();
    },
    /** A transfer with a mock signature, or with the given one, as hex. */
    forge: async (
      from: string,
      to: Uint8Array,
      value: bigint,
      nonce: number,
      signature = mockSignature,
    ): Promise<string> => {
      const { api, close } = await openApi(node);
      const forged = forgeTransfer(api, pair(from).address, to, value, { nonce, signature });
      await close();
      return forged;
    },
    stop: async () => {
      port.shut();
      await node.close();
      if (platform.errors.length > 0) throw platform.errors[0];
    },
  };
};

/** A memory database that is not lost when the node closes. */
export const lastingDatabase = (): Database => ({ ...createMemoryDatabase(), close: async () => undefined });
