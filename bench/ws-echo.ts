import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

// Echoes each text from a separate process, to measure the machine's own limit over one WebSocket.
const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
server.on('connection', (socket) => socket.on('message', (data: Uint8Array) => socket.send(`${data}`)));
server.on('listening', () => {
  console.log((server.address() as AddressInfo).port);
});
