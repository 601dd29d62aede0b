import { writeFile } from 'node:fs/promises';
import { ApiPromise } from '@polkadot/api';
import { Keyring } from '@polkadot/keyring';
import type { KeyringPair } from '@polkadot/keyring/types';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import type { ForkProvider } from '../../src/fork-source.ts';
import { polkadotJsProvider } from '../../src/providers/polkadot-js.ts';
import { fromHex } from '../../src/scale/hex.ts';
import type { TabNode } from '../../src/start.ts';
import { startNodeInThread } from '../../src/thread.ts';
import { sendTransfer } from '../dapp/transfer.ts';

const unit = 1_000_000_000_000n;

/** A node of this process as a JSON-RPC provider, in place of the URL of a public node. */
const providerOf =
  (live: TabNode): ForkProvider =>
  (onMessage, onClose) => {
    const opening = live.openPort({ dialect: 'polkadot-sdk', transport: 'ws' });
    opening
      .then((port) => {
        port.onmessage = ({ data }: { data: unknown }) => {
          for (const text of Array.isArray(data) ? data : [data])
            if (typeof text === 'string') onMessage(text);
        };
      })
      .catch((fault: unknown) => onClose(String(fault)));
    return {
      send: (text: never) => void opening.then((port) => port.postMessage(text)).catch(() => undefined),
      disconnect: () => void opening.then((port) => port.close()).catch(() => undefined),
    };
  };

/** Runs once what the tests will do, because a pack has what the fork has read. */
const readWhatTestsNeed = async (fork: TabNode): Promise<void> => {
  await cryptoWaitReady();
  const keyring = new Keyring({ type: 'sr25519' });
  const [alice, bob, carol] = ['//Alice', '//Bob', '//Carol'].map((uri) => keyring.addFromUri(uri)) as [
    KeyringPair,
    KeyringPair,
    KeyringPair,
  ];
  const api = await ApiPromise.create({ provider: polkadotJsProvider(fork), noInitWarn: true });
  await fork.rpc.dev_fund({ account: carol.address, amount: `${unit}` });
  for (const signer of [alice, carol])
    await sendTransfer(api, signer, bob.address, unit / 2n, () => undefined);
  await api.disconnect();
  await fork.rpc.dev_reset();
};

/**
 * Writes the pack of a fork at block 3 of a chain that was started for it, so that these examples need no network. In a project
 * of your own, the pack is committed beside the tests: `tabnode fork polkadot --block 25000000 --save polkadot.pack`.
 */
export const makePack = async (file: URL): Promise<void> => {
  const live = await startNodeInThread({ seal: 'manual' });
  for (let block = 0; block < 3; block++) await live.rpc.dev_newBlock({});
  const source = { provider: providerOf(live), block: 3 };
  const fork = await startNodeInThread({ fork: source, dialect: 'polkadot-sdk', finality: 'instant' });
  // polkadot-js reads the parent of the best block before it signs.
  await fork.rpc.dev_newBlock({ options: { count: 2 } });
  await readWhatTestsNeed(fork);
  await writeFile(file, fromHex(await fork.rpc.dev_exportFork()));
  await fork.stop();
  await live.stop();
};
