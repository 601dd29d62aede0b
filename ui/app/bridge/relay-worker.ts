import { keepShared, type Share } from '../../../src/bridge/keep-shared.ts';
import type { FromRelay, ToRelay } from './relay-words.ts';

// The relay runs in its own worker, so that a page busy rendering the clients' traffic does not delay them.
const page = globalThis as unknown as {
  postMessage(word: FromRelay): void;
  onmessage: ((event: MessageEvent<ToRelay>) => void) | null;
};
const ports = new Map<number, PromiseWithResolvers<MessagePort>>();
let share: Share | null = null;
let agreed: ((agreed: boolean) => void) | null = null;
let unsafe = false;
let lastId = 0;

const start = ({ pass, name, genesisHash, tab }: Extract<ToRelay, { word: 'start' }>): Share =>
  keepShared({
    pass,
    name,
    genesisHash,
    tab,
    allowsUnsafe: () => unsafe,
    agree: (acceptFirst) =>
      new Promise((resolve) => {
        agreed = resolve;
        page.postMessage({ word: 'agree', acceptFirst });
      }),
    openPort: (options) => {
      lastId += 1;
      const waiting = Promise.withResolvers<MessagePort>();
      ports.set(lastId, waiting);
      page.postMessage({ word: 'open', id: lastId, options });
      return waiting.promise;
    },
    keep: (kept) => page.postMessage({ word: 'keep', pass: kept }),
    onState: (state) => page.postMessage({ word: 'state', state }),
    onClients: (clients) => page.postMessage({ word: 'clients', clients }),
  });

const takePort = (id: number, port: MessagePort | null): void => {
  const waiting = ports.get(id);
  ports.delete(id);
  if (port === null) waiting?.reject(new Error('The node has stopped'));
  else waiting?.resolve(port);
};

page.onmessage = ({ data }) => {
  if (data.word === 'start') {
    unsafe = data.unsafe;
    share = start(data);
  } else if (data.word === 'agreed') agreed?.(data.agreed);
  else if (data.word === 'port') takePort(data.id, data.port);
  else if (data.word === 'unsafe') unsafe = data.unsafe;
  else if (data.word === 'disconnect') share?.disconnect(data.id);
  else share?.close(data.forget);
};
