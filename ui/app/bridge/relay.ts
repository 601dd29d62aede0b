import type { Share, ShareOptions } from '../../../src/bridge/keep-shared.ts';
import type { FromRelay, ToRelay } from './relay-words.ts';

export type Relay = Share & {
  /** Sets whether clients that connect from now on may make unsafe calls. */
  allow(unsafe: boolean): void;
};

/** How long the relay has to notify the bridge before it is terminated. */
const graceMs = 500;

/** Runs `keepShared` in its own worker. */
export const startRelay = (options: Omit<ShareOptions, 'allowsUnsafe'>, unsafe: boolean): Relay => {
  const worker = new Worker(new URL('./relay-worker.ts', import.meta.url), { type: 'module' });
  const post = (word: ToRelay, transfer: Transferable[] = []): void => worker.postMessage(word, transfer);
  const open = async ({ id, options: wanted }: Extract<FromRelay, { word: 'open' }>): Promise<void> => {
    const port = await options.openPort(wanted).catch(() => null);
    post({ word: 'port', id, port }, port === null ? [] : [port]);
  };
  worker.onmessage = ({ data }: MessageEvent<FromRelay>) => {
    if (data.word === 'agree')
      void options.agree(data.acceptFirst).then((agreed) => post({ word: 'agreed', agreed }));
    else if (data.word === 'open') void open(data);
    else if (data.word === 'keep') options.keep(data.pass);
    else if (data.word === 'state') options.onState(data.state);
    else options.onClients(data.clients);
  };
  worker.onerror = () =>
    options.onState({ kind: 'ended', reason: 'The code of the bridge could not be loaded. Reload the page' });
  const { pass, name, genesisHash, tab } = options;
  post({ word: 'start', unsafe, pass, name, genesisHash, tab });
  return {
    allow: (allowed) => post({ word: 'unsafe', unsafe: allowed }),
    disconnect: (id) => post({ word: 'disconnect', id }),
    close: (forget) => {
      post({ word: 'close', forget });
      setTimeout(() => worker.terminate(), graceMs);
    },
  };
};
