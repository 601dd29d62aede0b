import { Keyring } from '@polkadot/keyring';
import type { NodeConfig } from '../../src/protocol/node.ts';
import type { BlockHash } from '../../worker/codec/identity.ts';
import { createNode, type Node, type Platform } from '../../worker/node.ts';
import { openApi } from '../rigs/api.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { connectRpc } from '../rigs/rpc.ts';

/** A development chain with a client. */
export const open = async (changes: Partial<NodeConfig> = {}, platform: Partial<Platform> = {}) => {
  const base = createTestPlatform();
  const node = await createNode(
    { ...base, ...platform },
    testConfig('development', { finality: { kind: 'manual' }, ...changes }),
  );
  return { node, errors: base.errors, ...connectRpc(node) };
};

export const seal = async (node: Node): Promise<BlockHash> => {
  const result = await node.parts.author.seal({ createEmpty: true, finalize: false });
  if (!result.ok) throw new Error(result.message);
  return result.hash;
};

type Settings = { readonly interval: number; readonly url?: string };
/** The parts of the default runtime used by the tests. */
type Calls = {
  readonly sudo: { sudo(call: unknown): unknown };
  readonly observer: {
    observe(settings: Settings): unknown;
    storeOffchain(name: string, value: string): unknown;
  };
};
type Storage = { readonly observer: { latest(): Promise<{ toJSON(): unknown }> } };

/** Submits a call of the observer pallet by Alice, who has sudo. It stays pending in the pool. */
export const sendAsAlice = async (node: Node, make: (tx: Calls) => unknown): Promise<void> => {
  const { api, close } = await openApi(node);
  const alice = new Keyring({ type: 'sr25519' }).addFromUri('//Alice');
  const call = make(api.tx as unknown as Calls) as {
    signAsync(by: unknown, o: object): Promise<{ send(): Promise<unknown> }>;
  };
  await (await call.signAsync(alice, { nonce: -1 })).send();
  await close();
};

/** Makes the runtime's observer report at this interval in blocks, and fetch a URL if one is given. */
export const observe = (node: Node, settings: Settings): Promise<void> =>
  sendAsAlice(node, (tx) => tx.sudo.sudo(tx.observer.observe(settings)));

/** The last report of the observer pallet's worker. */
export type Report = {
  block: number;
  runs: number;
  timeMs: number;
  fetched: { status: number; bodyBytes: number } | null;
};
export const latestReport = async (node: Node): Promise<Report | null> => {
  const { api, close } = await openApi(node);
  const value = (await (api.query as unknown as Storage).observer.latest()).toJSON() as Report | null;
  await close();
  return value;
};
