import { createWebSocketPeers } from '../../bridge/network/listen.ts';
import { connect } from '../../worker/network/transport/connect.ts';
import { portCarrier } from '../../worker/network/transport/port.ts';
import { benchProtocols, endpointOptions, keyOf } from './endpoint.ts';

/** Serves the protocols of the benchmarks at a free port of this machine. */
export const listenEndpoint = async () => {
  const listener = createWebSocketPeers({
    maxSockets: 100,
    onPeer: (port) => {
      const options = { ...endpointOptions(benchProtocols), isDialer: false, key: keyOf(0) };
      connect(portCarrier(port), options).catch(() => undefined);
    },
  });
  const address = await listener.listen({ host: '127.0.0.1', port: 0 });
  return { url: `ws://${address}`, close: listener.close };
};
