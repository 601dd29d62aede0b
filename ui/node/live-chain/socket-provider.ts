import { openSocket, readAddress } from '../../../src/remote-socket.ts';

/** Opens a WebSocket whose messages are passed on. Rejects as `openSocket` does, in one sentence that says what to do. */
export const openProvider = async (
  address: string,
  onMessage: (text: string) => void,
  onClose: (why: string) => void,
): Promise<WebSocket> => {
  const url = readAddress(address);
  const socket = await openSocket(url);
  socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => onMessage(String(data)));
  socket.addEventListener('close', ({ code }) => onClose(`closed the connection (${code})`));
  return socket;
};
