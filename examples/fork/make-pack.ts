import { writeFile } from 'node:fs/promises';
import type { ForkProvider } from '../../src/fork-source.ts';
import { fromHex } from '../../src/scale/hex.ts';
import type { TabNode } from '../../src/start.ts';
import { startNodeInThread } from '../../src/thread.ts';

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

/**
 * Writes the pack of a fork at block 3 of a chain that was started for it, so that this example needs no network. In a project
 * of your own, the pack is committed beside the tests: `tabnode fork polkadot --block 25000000 --save polkadot.pack`.
 * A pack has what the fork has read, so run what the tests need before it is saved: `prepare`.
 */
export const makePack = async (file: URL, prepare: (fork: TabNode) => Promise<void>): Promise<void> => {
  const live = await startNodeInThread({ seal: 'manual' });
  for (let block = 0; block < 3; block++) await live.rpc.dev_newBlock({});
  const fork = await startNodeInThread({
    fork: { provider: providerOf(live), block: 3 },
    dialect: 'polkadot-sdk',
    finality: 'instant',
  });
  await fork.rpc.dev_newBlock({});
  await prepare(fork);
  await writeFile(file, fromHex(await fork.rpc.dev_exportFork()));
  await fork.stop();
  await live.stop();
};
