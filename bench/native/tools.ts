import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { type NativeNode, unpackNativeNode } from '../../test/native/native-rig.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { accountId, accountPair } from '../accounts.ts';
import { writeBlocks } from '../network/chain-file.ts';
import { openNode } from '../nodes.ts';
import { signTransfers } from '../signer.ts';
import { newPlace, type Running, type Start, starters } from './nodes.ts';
import { eachOf, type Pair } from './rounds.ts';

const uris = Array.from({ length: 100 }, (_, index) => `//Sender//${index}`);

/** The development chain with a balance for each sender, and with more accounts, as the text of a raw specification. */
const buildSpec = async (accounts: number): Promise<string> => {
  await cryptoWaitReady();
  const crypto = await loadCrypto();
  const node = await openNode();
  const { raw } = (await node.parts.chain.genesisJson(true)) as { raw: { top: Record<string, string> } };
  await node.close();
  const top = { ...raw.top };
  const keyring = new Keyring({ type: 'sr25519' });
  const ids = uris.map((uri) => keyring.addFromUri(uri).publicKey);
  for (let index = 0; index < accounts; index++) ids.push(accountId(crypto, index));
  for (const id of ids) {
    const [key, value] = accountPair(crypto, id);
    top[bytesToHex(key)] = bytesToHex(value);
  }
  const names = { name: 'Bench', id: 'bench', chainType: 'Local', bootNodes: [], properties: {} };
  const genesis = { raw: { ...raw, top } };
  return JSON.stringify({ ...names, telemetryEndpoints: null, protocolId: null, genesis });
};

/** What each key of the map is made with once, when it is first asked for. */
const once = <K, V>(make: (key: K) => Promise<V>): ((key: K) => Promise<V>) => {
  const made = new Map<K, Promise<V>>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
};

/**
 * What the lines share: specifications, signed transfers, files of blocks, and nodes that only answer. `program` is
 * our command.
 */
export const openTools = async (program: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'tabnode-beside-'));
  const native: NativeNode = await unpackNativeNode();
  const started: Running[] = [];
  const kept =
    (start: Start): Start =>
    async (spec, place) => {
      const node = await start(spec, place);
      started.push(node);
      return node;
    };
  const { ours, native: theirs } = starters(program, native);
  const start = { ours: kept(ours), native: kept(theirs) };

  /** The file of a chain with the senders and that many more accounts. */
  const spec = once(async (accounts: number): Promise<string> => {
    const file = join(folder, `${accounts}.json`);
    await writeFile(file, await buildSpec(accounts));
    return file;
  });
  /** Transfers of the senders on the chain without more accounts, in turn, from the first nonce on. */
  const signed = once(async (count: number): Promise<readonly string[]> => {
    const node = await openNode({ specJson: await buildSpec(0) });
    const texts = await signTransfers(node, count, { uris });
    await node.close();
    return texts;
  });
  /** Both nodes, started one after the other on chains of their own: ours in memory unless `stored`. */
  const startBoth = async (accounts: number): Promise<Pair<Running>> => {
    const path = await spec(accounts);
    return eachOf(start, (one: Start) => one(path, ['--tmp']));
  };
  return {
    folder,
    program,
    native,
    start,
    spec,
    signed,
    startBoth,
    place: () => newPlace(folder),
    /** An empty folder for a chain that is removed after use. */
    withPlace: async <T>(run: (place: readonly string[]) => Promise<T>): Promise<T> => {
      const place = newPlace(folder);
      try {
        return await run(place);
      } finally {
        rmSync(place[1], { recursive: true, force: true });
      }
    },
    /** Both nodes for lines that change nothing in them; they are started once and end with the tools. */
    readable: once(startBoth),
    /** A file with a chain of blocks of `size` transfers, in the SDK's binary form. */
    chain: once(async (kind: `${number}x${number}`): Promise<string> => {
      const [blocks = 0, size = 0] = kind.split('x').map(Number);
      const file = join(folder, `${kind}.bin`);
      const node = await openNode({ specJson: await buildSpec(0) });
      const texts = await signed(blocks * size);
      await writeBlocks(node, { file, size, extrinsics: texts.map(hexToBytes) });
      await node.close();
      return file;
    }),
    close: async (): Promise<void> => {
      for (const node of started) await node.stop();
      native.close();
      rmSync(folder, { recursive: true });
    },
  };
};

export type Tools = Awaited<ReturnType<typeof openTools>>;
