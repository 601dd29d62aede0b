import { identify } from '@libp2p/identify';
import { noise } from '@libp2p/noise';
import { ping } from '@libp2p/ping';
import { tcp } from '@libp2p/tcp';
import { webSockets } from '@libp2p/websockets';
import { yamux } from '@libp2p/yamux';
import { createLibp2p } from 'libp2p';
import { onTestFinished } from 'vitest';
import { createDeframer } from '../../worker/network/transport/framing.ts';

/** Calls back with each message of the bytes of a stream. */
export const readMessages = (onMessage: (message: Uint8Array) => void) => {
  const deframer = createDeframer('length', 1 << 24);
  return (bytes: Uint8Array): void => {
    for (let at = 0; at < bytes.length; ) {
      at = deframer.read(bytes, at);
      const message = deframer.take();
      if (message !== null) onMessage(message);
    }
  };
};

/**
 * js-libp2p, with the settings that large messages need (its yamux stops at 4 MiB otherwise). It listens on this machine
 * until the test ends.
 */
export const startLibp2p = async (kind: 'tcp' | 'ws') => {
  const node = await createLibp2p({
    addresses: { listen: [`/ip4/127.0.0.1/tcp/0${kind === 'ws' ? '/ws' : ''}`] },
    transports: [webSockets(), tcp()],
    connectionEncrypters: [noise()],
    streamMuxers: [yamux({ streamOptions: { maxReadBufferLength: 17 * 1024 * 1024 } })],
    connectionGater: { denyDialMultiaddr: () => false },
    services: { identify: identify(), ping: ping() },
  });
  onTestFinished(() => node.stop());
  const address = node.getMultiaddrs()[0]?.toString() ?? '';
  return { node, id: node.peerId.toString(), address, port: Number(address.split('/')[4]) };
};

export type Libp2p = Awaited<ReturnType<typeof startLibp2p>>['node'];
