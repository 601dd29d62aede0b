import type { ApiPromise } from '@polkadot/api';
import { Keyring } from '@polkadot/keyring';
import { u8aToHex } from '@polkadot/util';

type Codec = { toJSON(): unknown };
type Method = ((...params: unknown[]) => Promise<unknown>) & { readonly raw: Method };

/** Codec lists become plain lists. */
const toJson = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(toJson) : ((value as Codec | null)?.toJSON?.() ?? null);

/** A method of `api.rpc`, found by its RPC name. */
export const methodOf = (api: ApiPromise, name: string): Method => {
  const at = name.indexOf('_');
  const sections = api.rpc as unknown as Record<string, Record<string, Method>>;
  const found = sections[name.slice(0, at)]?.[name.slice(at + 1)];
  if (found === undefined) throw new Error(`api.rpc has no ${name}`);
  return found;
};

/** The first item of a subscription, which is then ended. */
export const firstOf = async <T>(subscribe: (take: (item: T) => void) => Promise<unknown>): Promise<T> => {
  const got = Promise.withResolvers<T>();
  const end = (await subscribe(got.resolve)) as () => void;
  const item = await got.promise;
  end();
  return item;
};

const keyring = new Keyring({ type: 'sr25519' });

/** What the cases need: an api, Alice's address and public key, and helpers to call, follow and sign. */
export const prepare = async (api: ApiPromise) => {
  const alice = keyring.addFromUri('//Alice');
  const call = async (name: string, ...params: unknown[]): Promise<unknown> =>
    toJson(await methodOf(api, name)(...params));
  const follow = async (name: string, ...params: unknown[]): Promise<unknown> =>
    toJson(await firstOf((take) => methodOf(api, name)(...params, take)));
  const sign = async (options: { era?: number } = {}): Promise<string> => {
    // The node's own count, which includes the pool.
    const nonce = (await call('system_accountNextIndex', alice.address)) as number;
    const signed = await api.tx['system']?.['remark']?.('0x01').signAsync(alice, { nonce, ...options });
    if (signed === undefined) throw new Error('no remark call');
    return signed.toHex();
  };
  const accountKey = api.query['system']?.['account']?.key(alice.address) ?? '';
  return {
    api,
    address: alice.address,
    publicKey: u8aToHex(alice.publicKey),
    call,
    follow,
    sign,
    accountKey,
  };
};
export type World = Awaited<ReturnType<typeof prepare>>;
