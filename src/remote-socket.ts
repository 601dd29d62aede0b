import { NodeError } from './protocol/errors.ts';

/** How long a node has to accept a connection. */
const patienceMs = 10_000;

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Parses the address of a node as typed; `ws://` is added if there is no scheme, and replaces `http://`, because a
 * node serves both at one port. Throws `BadConfig` if it is no such address.
 */
export const readAddress = (text: string): URL => {
  const typed = text.trim();
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed.replace(/^http/i, 'ws') : `ws://${typed}`;
  const url = URL.canParse(full) ? new URL(full) : null;
  if (typed === '' || url === null || !/^wss?:$/.test(url.protocol))
    throw new NodeError(
      'BadConfig',
      `“${typed}” is not the address of a node: write one such as ws://127.0.0.1:9944 or wss://rpc.polkadot.io.`,
    );
  url.hash = '';
  return url;
};

/** An https page may only open encrypted connections, except to this machine. Throws `NotAllowed`. */
export const refuseMixed = ({ protocol, hostname, href }: URL, page: Pick<Location, 'protocol'>): void => {
  if (page.protocol === 'https:' && protocol === 'ws:' && !loopback.test(hostname))
    throw new NodeError(
      'NotAllowed',
      `A page from https may not connect to ${href}: use the wss:// address of the node, or open the devtools from this machine, with the tabnode command.`,
    );
};

/** The response as text: `HTTP 200 (text/html)`. */
const responseText = ({ status, headers }: Response): string =>
  `HTTP ${status} (${headers.get('content-type')?.split(';')[0] ?? 'no content type'})`;

/**
 * Browsers do not report why a WebSocket fails, so this sends a request. If the page may not read its response, it
 * sends a no-cors one: any response means that something listens at the address.
 */
const reportFailure = async (url: URL, isRefused: () => boolean): Promise<NodeError> => {
  const probe = new URL(url);
  probe.protocol = url.protocol === 'wss:' ? 'https:' : 'http:';
  const signal = AbortSignal.timeout(patienceMs);
  const send = (mode: RequestMode) => globalThis.fetch(probe, { mode, signal });
  const read = await send('cors').catch(() => null);
  const answers = read !== null || (await send('no-cors').catch(() => null)) !== null;
  // The browser reports a policy violation shortly after the failure.
  if (isRefused())
    return new NodeError(
      'NotAllowed',
      `The Content-Security-Policy of this page does not allow ${url.host}: add ${url.protocol}//${url.host} to its connect-src, or open the devtools with the tabnode command.`,
      { details: { isPolicy: true } },
    );
  if (read !== null)
    return new NodeError(
      'Unsupported',
      `${url.host} opens no WebSocket and answers ${responseText(read)}: check the address, above all its port.`,
    );
  return answers
    ? new NodeError(
        'NotAllowed',
        `${url.host} answers, but refuses a WebSocket of this page: start the node with --rpc-cors all, or name ${location.origin} with --rpc-cors; if it is no node, check the port.`,
      )
    : new NodeError(
        'Disconnected',
        `Nothing answers at ${url.href}: check that the node runs there and that the address is right.`,
      );
};

/** Watches whether the page's content security policy blocks the connection, until `end` is called. */
const watchPolicy = ({ protocol, host }: URL): { isRefused(): boolean; end(): void } => {
  const ended = new AbortController();
  let isRefused = false;
  document.addEventListener(
    'securitypolicyviolation',
    ({ blockedURI, effectiveDirective }) => {
      if (effectiveDirective === 'connect-src' && blockedURI.startsWith(`${protocol}//${host}`))
        isRefused = true;
    },
    { signal: ended.signal },
  );
  return { isRefused: () => isRefused, end: () => ended.abort() };
};

const whenOpen = (socket: WebSocket): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => socket.close(), patienceMs);
    const settle = (isOpen: boolean) => (): void => {
      clearTimeout(timer);
      resolve(isOpen);
    };
    socket.addEventListener('open', settle(true), { once: true });
    // Chromium emits no `close` event if the policy blocks the connection.
    socket.addEventListener('error', settle(false), { once: true });
    socket.addEventListener('close', settle(false), { once: true });
  });

/**
 * Opens a WebSocket to a node. Rejects with `NotAllowed` if the page may not connect to it, `Unsupported` if
 * something else responds, and `Disconnected` if nothing does; the message is one sentence that says what to do.
 */
export const openSocket = async (url: URL): Promise<WebSocket> => {
  refuseMixed(url, location);
  const policy = watchPolicy(url);
  try {
    const socket = new WebSocket(url);
    if (await whenOpen(socket)) return socket;
    const failure = await reportFailure(url, policy.isRefused);
    if (failure.code === 'Disconnected' || policy.isRefused()) throw failure;
    // Something answers, but a node that has just started may not have been there for the socket.
    const second = new WebSocket(url);
    if (await whenOpen(second)) return second;
    throw failure;
  } catch (error) {
    // Some browsers throw synchronously where others report a closed connection.
    throw error instanceof NodeError ? error : await reportFailure(url, () => true);
  } finally {
    policy.end();
  }
};

type OnMessage = (event: { readonly data: string }) => void;

/**
 * Wraps a WebSocket as a port, as far as a connection uses one. A message that is not JSON closes it, because
 * no node sends such messages.
 */
export const toPort = (socket: WebSocket): MessagePort => {
  const port = {
    onmessage: null as OnMessage | null,
    postMessage: (message: unknown): void => {
      // Notes are not sent: they only exist between ports.
      if (typeof message === 'string') socket.send(message);
    },
    addEventListener: (_type: 'close', heard: () => void): void => socket.addEventListener('close', heard),
    close: (): void => socket.close(),
  };
  socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    try {
      port.onmessage?.({ data: String(data) });
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      socket.close();
    }
  });
  return port as unknown as MessagePort;
};
