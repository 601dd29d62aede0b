import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { nextTexts, openSocket } from '../clients/socket-clients.fixture.ts';
import { bodyOf, callHttp } from '../clients/test-clients.fixture.ts';
import { startServe } from '../clients/test-process.fixture.ts';

type Served = Awaited<ReturnType<typeof startServe>>;

const head = (...lines: readonly string[]): string => `${lines.join('\r\n')}\r\n\r\n`;
const post = (...headers: readonly string[]): string => {
  const body = bodyOf('system_name');
  return head(
    'POST / HTTP/1.1',
    ...headers,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  );
};
const upgrade = (path: string, ...headers: readonly string[]): string =>
  head(
    `GET ${path} HTTP/1.1`,
    ...headers,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  );
const own = 'Host: 127.0.0.1';

/** What a client sends before it disconnects, and whether it gets a response. */
const steps: readonly (readonly [name: string, text: string, isAnswered: boolean])[] = [
  ['nothing', '', false],
  ['half a request line', 'GET / HT', false],
  ['half a head', `POST / HTTP/1.1\r\n${own}\r\nContent-`, false],
  ['bytes that are no HTTP', '\u0000\u0001\u0002 no HTTP\r\n\r\n', true],
  ['half a body', `${post(own)}{"json`, false],
  ['a call', post(own) + bodyOf('system_name'), true],
  ['a call from a foreign Host', post('Host: evil.example') + bodyOf('system_name'), true],
  ['a call from a foreign page', post(own, 'Origin: https://evil.example') + bodyOf('system_name'), true],
  ['a call in an unknown dialect', post(own).replace(' / ', ' /?dialect=no ') + bodyOf('system_name'), true],
  ['a preflight', head('OPTIONS / HTTP/1.1', own, 'Origin: http://localhost'), true],
  ['a body announced', post(own, 'Expect: 100-continue'), true],
  ['a tunnel', head('CONNECT localhost:1 HTTP/1.1', own), false],
  ['an upgrade', upgrade('/', own), true],
  ['an upgrade and half a frame', `${upgrade('/', own)}\u0001`, true],
  ['an upgrade and a call in one go', `${upgrade('/', own)}\u0001\u0000`, true],
  ['an upgrade from a foreign Host', upgrade('/', 'Host: evil.example'), true],
  ['an upgrade from a foreign page', upgrade('/', own, 'Origin: https://evil.example'), true],
  ['an upgrade in an unknown dialect', upgrade('/?dialect=no', own), true],
  ['an upgrade without a key', upgrade('/', own).replace(/Sec-WebSocket-Key.*\r\n/, ''), true],
  ['an upgrade to something else', upgrade('/', own).replace('websocket', 'h2c'), true],
];

/** How a client disconnects. */
const endings = {
  resetsAtOnce: (socket, text) => {
    socket.write(text, () => socket.resetAndDestroy());
  },
  closesUnread: (socket, text) => {
    socket.pause();
    socket.write(text, () => socket.destroy());
  },
  resetsAtTheAnswer: (socket, text, isAnswered) => {
    if (isAnswered) socket.once('data', () => socket.resetAndDestroy());
    else socket.once('connect', () => setImmediate(() => socket.resetAndDestroy()));
    socket.write(text);
  },
} satisfies Record<string, (socket: ReturnType<typeof connect>, text: string, isAnswered: boolean) => void>;

type Attempt = {
  readonly address: string;
  readonly step: (typeof steps)[number];
  readonly ending: keyof typeof endings;
};

/** Resolves once the client has disconnected. */
const attempt = ({ address, step: [, text, isAnswered], ending }: Attempt): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1');
    // The final calls would reveal a node that refuses connections.
    socket.on('error', () => undefined);
    socket.once('close', () => resolve());
    endings[ending](socket, text, isAnswered);
  });

const allAttempts = ({ ready }: Served): readonly Attempt[] =>
  [ready.ws, ready.http].flatMap((address) =>
    steps.flatMap((step) =>
      (Object.keys(endings) as Attempt['ending'][]).map((ending) => ({ address, step, ending })),
    ),
  );

/** Rejects if the node ends before it responds. */
const unlessEnded = <T>(node: Served, answer: Promise<T>): Promise<T> =>
  Promise.race([
    answer,
    node.ended.then(({ code, stderr }) => Promise.reject(new Error(`ended with ${code}: ${stderr}`))),
  ]);

const isAlive = async (node: Served): Promise<void> => {
  const socket = openSocket(node.ready.ws);
  const name = callHttp(node.ready.http, 'system_name');
  const [opened, answer] = await unlessEnded(node, Promise.all([socket, name]));
  expect(answer).toBe('Tabnode');
  opened.close();
};

describe('a client that disconnects during a handshake', () => {
  let node: Served | null = null;
  afterEach(async () => {
    node?.kill('SIGTERM');
    await (node as Served | null)?.ended;
    node = null;
  });

  it('does not end the node, whatever it sends and however it disconnects, 1,000 times', async () => {
    node = await startServe('--tmp', '--seal', 'manual');
    const served = node;
    let tries = 0;
    while (tries < 1000) {
      const attempts = allAttempts(served);
      for (let first = 0; first < attempts.length; first += 20)
        await Promise.all(attempts.slice(first, first + 20).map(attempt));
      tries += attempts.length;
      await isAlive(served);
    }
  });

  it('does not end the node at the connection limit either', async () => {
    node = await startServe('--tmp', '--seal', 'manual', '--rpc-max-connections', '1');
    const served = node;
    const guest = await openSocket(served.ready.ws);
    const refused = allAttempts(served).filter(
      ({ step: [name] }) => name === 'an upgrade' || name === 'a call',
    );
    for (let round = 0; round < 20; round++) await Promise.all(refused.map(attempt));
    const answer = nextTexts(guest, 1);
    guest.send(bodyOf('system_name'));
    expect(JSON.parse((await unlessEnded(served, answer))[0] as string)).toMatchObject({ result: 'Tabnode' });
    guest.terminate();
  });
});
