import type { SocketReply, SocketRequest } from '../../src/protocol/network.ts';
import type { NodeControl } from '../../src/protocol/node.ts';
import { onPortMessage } from '../../src/protocol/port.ts';
import { createLocalPorts } from '../server/local-ports.ts';
import { addressesOf, type ListenForm } from './addresses.ts';
import { dialTcp } from './dial.ts';
import { createTcpPeers, createWebSocketPeers, type PeerServerOptions } from './listen.ts';

/** Sockets at a time, of one listener: more than there are places for peers, because handshakes take time. */
const maxSockets = 256;

/** Dials TCP for a node of this thread, which requests it on the returned port. */
export const openSockets = (): MessagePort => {
  const [near, far] = createLocalPorts();
  const reply = (message: SocketReply): void => near.postMessage(message);
  onPortMessage(near, (data) => {
    const { id, host, port } = data as SocketRequest;
    dialTcp(host, port).then(
      (socket) => reply({ id, port: socket }),
      (error: Error) => reply({ id, error: error.message }),
    );
  });
  return far;
};

export type OpenPeers = {
  /** Multiaddrs without the peer id. */
  readonly addresses: readonly string[];
  close(): Promise<void>;
};

/** Listens for other nodes, and hands each to the node of this thread. Throws `BadConfig` if an address is in use. */
export const openPeers = async (
  control: Pick<NodeControl, 'acceptPeer' | 'listensOn'>,
  forms: readonly ListenForm[],
): Promise<OpenPeers> => {
  const onPeer: PeerServerOptions['onPeer'] = (port, { host }) => {
    control.acceptPeer(port, host).then(
      ({ ok }) => (ok ? null : port.close()),
      () => port.close(),
    );
  };
  const listeners = forms.map((form) => ({
    form,
    listener: (form.kind === 'ws' ? createWebSocketPeers : createTcpPeers)({ maxSockets, onPeer }),
  }));
  const close = async (): Promise<void> => {
    await Promise.all(listeners.map(({ listener }) => listener.close()));
  };
  try {
    const addresses: string[] = [];
    for (const { form, listener } of listeners) {
      const opened = await listener.listen(form);
      addresses.push(...addressesOf(form, Number(opened.slice(opened.lastIndexOf(':') + 1))));
    }
    await control.listensOn(addresses);
    return { addresses, close };
  } catch (error) {
    await close();
    throw error;
  }
};
