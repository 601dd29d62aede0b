import {
  bridgeCloseCodes,
  bridgeProtocol,
  type HostNote,
  idOfSecret,
  newNonce,
  type PageNote,
  proveSecret,
  readBundle,
  readFrame,
  readNote,
  type Secret,
} from '../protocol/bridge.ts';
import { NodeError } from '../protocol/errors.ts';
import { isBridgeUrl } from './bridge-url.ts';
import { type ChannelOptions, createChannels } from './channels.ts';

/** The addresses where clients reach the node. */
export type SharedAddress = { readonly name: string; readonly ws: string; readonly http: string };

/** The bridge's response once both sides have proven that they know the secret. */
export type Offer = {
  /** The secret for the next connection. */
  readonly token: string;
  /** Whether the bridge was started for automation, so that the user need not be asked. */
  readonly acceptFirst: boolean;
};

export type BridgeLinkOptions = ChannelOptions & {
  /** The bridge's address. */
  readonly url: string;
  readonly secret: { readonly kind: Secret; readonly value: string };
  /** The name requested for the node behind the bridge. */
  readonly name: string;
  readonly genesisHash: string;
  /** Identifies this tab, so that it keeps its name when it reconnects. */
  readonly tab: string;
  /** Asks whether the user agrees. */
  agree(offer: Offer): Promise<boolean>;
  onServing(address: SharedAddress): void;
  /** Called once, with the close code and reason. */
  onEnd(code: number, reason: string): void;
};

export type BridgeLink = {
  /** Disconnects one client, or all of them. */
  disconnect(id?: number): void;
  /** `forGood`: the user ended it; otherwise the page is being left. */
  close(forGood: boolean): void;
};

/**
 * Mutual proof of the secret; resolves to the bridge's offer. `next` waits for the bridge's next note of a
 * kind.
 */
const handshake = async (
  { secret }: BridgeLinkOptions,
  send: (note: PageNote) => void,
  next: (note: HostNote['note']) => Promise<HostNote>,
): Promise<Offer> => {
  const page = newNonce();
  send({ note: 'hello', secret: secret.kind, id: await idOfSecret(secret.value), nonce: page });
  const hello = (await next('hello')) as Extract<HostNote, { note: 'hello' }>;
  const nonces = { page, bridge: hello.nonce };
  // Another program listens at the bridge's address.
  if (hello.proof !== (await proveSecret(secret.value, 'bridge', nonces)))
    throw new NodeError('Disconnected', 'The program at this address is not the bridge that was paired');
  send({ note: 'proof', proof: await proveSecret(secret.value, 'page', nonces) });
  return (await next('welcome')) as Extract<HostNote, { note: 'welcome' }>;
};

/**
 * Connects this page's node to a bridge. The node is not reachable until the user has agreed. Throws
 * `BadConfig` if the address is not on this machine.
 */
export const openBridgeLink = (options: BridgeLinkOptions): BridgeLink => {
  if (!isBridgeUrl(options.url))
    throw new NodeError('BadConfig', `${options.url}: a bridge runs on this machine, at ws://127.0.0.1:PORT`);
  const socket = new WebSocket(options.url, bridgeProtocol);
  const channels = createChannels(socket, options);
  const expected = new Map<string, (note: HostNote) => void>();
  let isServing = false;
  const send = (note: PageNote): void => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(note));
  };
  const end = (code: number, reason: string): void => socket.close(code, reason);
  const next = (note: HostNote['note']): Promise<HostNote> =>
    new Promise((resolve) => expected.set(note, resolve));

  const handleServingNote = (note: HostNote): void => {
    if (note.note === 'serving') options.onServing(note);
    else if (note.note === 'open') channels.open(note.channel, note.options, note.client);
    else if (note.note === 'close') channels.close(note.channel, false);
    else if (note.note === 'blocked')
      channels.post(note.channel, { note: 'blocked', isBlocked: note.isBlocked });
    else if (note.note === 'full') channels.post(note.channel, { note: 'full', isFull: note.isFull });
  };
  const handleNote = (note: HostNote): void => {
    const waiting = expected.get(note.note);
    expected.delete(note.note);
    if (waiting !== undefined) waiting(note);
    else if (isServing) handleServingNote(note);
    else end(bridgeCloseCodes.badFrame, 'Out of order');
  };
  const handleFrame = (text: string): void => {
    const frame = readFrame(text);
    if (frame === null || !isServing) end(bridgeCloseCodes.badFrame, 'Not a frame');
    else if (frame.number !== null)
      channels.post(frame.channel, { id: frame.number, text: frame.text ?? '' });
    else for (const one of frame.texts) channels.post(frame.channel, one);
  };
  const start = async (): Promise<void> => {
    const offer = await handshake(options, send, next);
    if (!(await options.agree(offer))) return end(bridgeCloseCodes.declined, 'The user declined');
    isServing = true;
    const { name, genesisHash, tab } = options;
    send({ note: 'serve', name, genesisHash, tab });
  };

  socket.addEventListener('open', () => {
    start().catch((error: Error) => end(bridgeCloseCodes.unknownSecret, error.message.slice(0, 100)));
  });
  socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data !== 'string') return end(bridgeCloseCodes.badFrame, 'Not a text');
    const frames = readBundle(data);
    if (frames === null) end(bridgeCloseCodes.badFrame, 'Not a frame');
    for (const frame of frames ?? []) {
      const note = readNote(frame);
      if (note === null) handleFrame(frame);
      else handleNote(note as HostNote);
    }
  });
  socket.addEventListener('close', ({ code, reason }) => {
    channels.closeAll(false);
    options.onEnd(code, reason);
  });
  return {
    disconnect: (id) => {
      if (id === undefined) channels.closeAll(true);
      else channels.close(id, true);
    },
    close: (forGood) => {
      channels.closeAll(false);
      if (forGood) end(bridgeCloseCodes.declined, 'Disconnected by the user');
      else end(1000, 'The page left');
    },
  };
};
