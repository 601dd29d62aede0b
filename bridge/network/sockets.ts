import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { joinSocket } from './join.ts';

const gone = 'The other side has closed the connection';
const broken = 'The connection broke';
/** How long the other side has to end a TCP connection that this one has ended. */
const graceMs = 1000;

/** The port of a WebSocket. Other nodes send binary messages only, so a text ends the connection. */
export const webSocketPort = (socket: WebSocket): MessagePort =>
  joinSocket(({ bytes, close }) => {
    socket.on('message', (data: Uint8Array, isBinary) => {
      if (isBinary) bytes(data);
      else close('The other side sent a text instead of bytes');
    });
    socket.on('close', () => close(gone));
    socket.on('error', () => {
      socket.terminate();
      close(broken);
    });
    return {
      send: (data, onTaken) => socket.send(data, onTaken),
      pause: (isPaused) => (isPaused ? socket.pause() : socket.resume()),
      close: () => socket.close(),
    };
  });

/** The port of a TCP socket. */
export const tcpPort = (socket: Socket): MessagePort =>
  joinSocket(({ bytes, close }) => {
    socket.setNoDelay(true);
    socket.on('data', bytes);
    socket.on('close', () => close(gone));
    socket.on('error', () => close(broken));
    return {
      send: (data, onTaken) => void socket.write(data, onTaken),
      pause: (isPaused) => void (isPaused ? socket.pause() : socket.resume()),
      close: () => {
        socket.end();
        setTimeout(() => socket.destroy(), graceMs).unref();
      },
    };
  });
