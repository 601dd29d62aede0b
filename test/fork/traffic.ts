import { zstdCompressSync } from 'node:zlib';
import type { SubmittableExtrinsic } from '@polkadot/api/types';
import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { expect } from 'vitest';
import { concatBytes, textToBytes } from '../../worker/bytes/bytes.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import { codeKey } from '../../worker/chain/genesis/genesis.ts';
import { unpackCode } from '../../worker/executor/code-blob.ts';
import type { Node } from '../../worker/node.ts';
import { storingContract } from '../chain/storing-contract.ts';
import { openApi } from '../rigs/api.ts';
import { loadNextRuntime } from '../rigs/platform.ts';
import { connectRpc } from '../rigs/rpc.ts';
import { sealOn } from '../rigs/seal-on.ts';

type Call = SubmittableExtrinsic<'promise'>;
type Make = (...args: unknown[]) => Call;

/** A client of a node that sends what dev accounts may do on its chain, whatever its runtime has. */
export const openTraffic = async (node: Node) => {
  await cryptoWaitReady();
  const { api, close } = await openApi(node);
  const keyring = new Keyring({ type: 'sr25519' });
  const pair = (suri: string) => keyring.addFromUri(suri);
  /** The first of these calls that the runtime has. */
  const find = (...names: readonly string[]): Make | null => {
    for (const name of names) {
      const [pallet = '', call = ''] = name.split('.');
      const made = (api.tx as unknown as Record<string, Record<string, Make>>)[pallet]?.[call];
      if (made !== undefined) return made;
    }
    return null;
  };
  const send = async (from: string, call: Call | undefined): Promise<void> => {
    if (call === undefined) return;
    await (await call.signAsync(pair(from), { nonce: -1, era: 0 })).send();
  };
  /** Seals blocks until the pool is empty: the block that ends a session has no room for transactions. Returns the events. */
  const include = async (): Promise<readonly string[]> => {
    const names: string[] = [];
    let blocks = 0;
    do {
      if (++blocks > 3) throw new Error('The transactions are not included');
      const hash = await sealOn(node);
      const events = (await (await api.at(hash)).query['system']?.['events']?.()) as unknown as {
        event: { section: string; method: string; data: unknown };
      }[];
      for (const { event } of events) {
        names.push(`${event.section}.${event.method}`);
        expect(event.method, String(event.data)).not.toBe('ExtrinsicFailed');
        if (event.method === 'Sudid') expect(String(event.data)).toContain('"ok"');
      }
      await node.parts.pool.idle();
    } while (node.parts.pool.readyCount() > 0);
    return names;
  };
  return { api, close, pair, find, send, include };
};

export type Traffic = Awaited<ReturnType<typeof openTraffic>>;

/** The runtime's successor; where there is none, the same runtime with a section of its own, which is other code as well. */
const nextCode = async ({ parts: { chain, crypto } }: Node): Promise<Uint8Array> => {
  const code = await chain.withState(chain.best().hash, (state) => state.get(codeKey));
  if (code === null) throw new Error('The state has no code');
  if ((await chain.runtimeAt(chain.best().hash)).version.specName.startsWith('tabnode'))
    return loadNextRuntime();
  const module = unpackCode(code, crypto.unzstd);
  const section = Uint8Array.of(0, 9, 8, ...textToBytes('upgraded'));
  const magic = Uint8Array.of(0x52, 0xbc, 0x53, 0x76, 0x46, 0xdb, 0x8e, 0x05);
  return concatBytes(magic, zstdCompressSync(concatBytes(module, section)));
};

/** Sends the call as the superuser, which the chains of the tests have. */
const sudo = async ({ find, send }: Traffic, call: Call | undefined): Promise<void> => {
  const make = find('sudo.sudoUncheckedWeight');
  if (make === null || call === undefined) throw new Error('The runtime has no such call');
  const wrap = (): Call => {
    try {
      return make(call, { refTime: 0, proofSize: 0 });
    } catch {
      // A weight was one number.
      return make(call, 0);
    }
  };
  await send('//Alice', wrap());
};

/** Moves the clock by the length of a session; by an hour on a chain without sessions. */
const travel = async (node: Node, { api }: Traffic): Promise<void> => {
  const slots = Number(api.consts['babe']?.['epochDuration'] ?? 600);
  const now = Number(await api.query['timestamp']?.['now']?.());
  await connectRpc(node).call('dev_timeTravel', now + slots * 6000);
};

const remark = ({ find }: Traffic, text: string): Call | undefined =>
  find('system.remarkWithEvent', 'system.remark')?.(bytesToHex(textToBytes(text)));

/** What happens in a block, in this order; the blocks between are empty. */
const scenes: readonly ((node: Node, traffic: Traffic, label: string) => Promise<unknown>)[] = [
  // Accounts are made, and balances moved between those that exist.
  async (_node, { find, send, pair }, label) => {
    const transfer = find('balances.transferAllowDeath', 'balances.transfer');
    await send('//Alice', transfer?.(pair(`//${label}`).address, 20n * 10n ** 12n));
    await send('//Bob', transfer?.(pair('//Charlie').address, 10n ** 12n));
  },
  async (_node, traffic, label) => {
    const { find, send, pair } = traffic;
    await send('//Alice', find('proxy.addProxy')?.(pair(`//${label}`).address, 0, 0));
    const calls = ['one', 'two'].map((text) => remark(traffic, text));
    await send('//Bob', find('utility.batchAll', 'utility.batch')?.(calls));
  },
  // An account that empties itself is removed.
  async (_node, { find, send, pair }, label) =>
    send(`//${label}`, find('balances.transferAll')?.(pair('//Bob').address, false)),
  async (_node, { find, send, pair }, label) => {
    await send('//Alice', find('proxy.removeProxy')?.(pair(`//${label}`).address, 0, 0));
    await send('//Bob', find('preimage.notePreimage')?.(bytesToHex(textToBytes(label))));
  },
  // Storage under a key and a prefix is written, and removed after it.
  async (_node, traffic) => {
    const pairs = Array.from({ length: 20 }, (_, index) => [`0xf0f0${10 + index}`, `0x${10 + index}`]);
    await sudo(traffic, traffic.find('system.setStorage')?.(pairs));
  },
  async (_node, traffic) => sudo(traffic, traffic.find('system.killPrefix')?.('0xf0f0', 30)),
  // A contract has a child trie.
  async (_node, { api, send, find }, label) => {
    if (find('contracts.instantiateWithCode') !== null)
      await send('//Alice', storingContract(api).instantiate(bytesToHex(textToBytes(label))));
  },
  async (_node, { api, send, find }, label) => {
    if (find('contracts.call') === null) return;
    const contract = storingContract(api);
    await send('//Bob', contract.store(await contract.find(), bytesToHex(textToBytes(label))));
  },
  // Two sessions end, as authorities are queued for one.
  travel,
  async (_node, traffic) => traffic.send('//Alice', remark(traffic, 'in the next session')),
  travel,
];

/** Plays all scenes on a node. `label`: names what is made; each chain has it once. Returns the events. */
export const playScenes = async (node: Node, label: string): Promise<ReadonlySet<string>> => {
  const traffic = await openTraffic(node);
  const events = new Set<string>();
  await sealOn(node);
  for (const scene of scenes) {
    await scene(node, traffic, label);
    for (const event of await traffic.include()) events.add(event);
  }
  await traffic.close();
  return events;
};

/** Replaces the runtime as the superuser, and uses the new one. */
export const upgradeRuntime = async (node: Node): Promise<void> => {
  const { chain } = node.parts;
  const codeHash = async (): Promise<string> =>
    bytesToHex((await chain.withState(chain.best().hash, (state) => state.valueHash(codeKey))) as Uint8Array);
  const before = await codeHash();
  const traffic = await openTraffic(node);
  const code = bytesToHex(await nextCode(node));
  await sudo(traffic, traffic.find('system.setCodeWithoutChecks')?.(code));
  await traffic.include();
  await traffic.close();
  await sealOn(node);
  expect(await codeHash()).not.toBe(before);
  // The new runtime has its own metadata.
  const later = await openTraffic(node);
  await later.send('//Alice', remark(later, 'after the upgrade'));
  await later.include();
  await later.close();
};
