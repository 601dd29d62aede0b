import { connect } from 'node:net';
import { NodeError } from '../../src/protocol/errors.ts';
import { tcpPort } from './sockets.ts';

const openMs = 10_000;

/** Opens a TCP connection to another node. Rejects with `PeerFailed`. */
export const dialTcp = (host: string, port: number): Promise<MessagePort> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    const fail = (why: string, cause?: unknown): void => {
      socket.destroy();
      reject(new NodeError('PeerFailed', `${host}:${port} ${why}`, { cause }));
    };
    const onError = (error: NodeJS.ErrnoException): void =>
      fail(error.code === 'ENOTFOUND' ? 'has no address' : 'cannot be reached', error);
    socket.setTimeout(openMs, () => fail('does not answer'));
    socket.once('error', onError);
    socket.once('connect', () => {
      socket.setTimeout(0);
      socket.off('error', onError);
      resolve(tcpPort(socket));
    });
  });
