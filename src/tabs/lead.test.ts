import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { onPortMessage } from '../protocol/port.ts';
import { attachNode } from './attach.ts';
import { createLed } from './fake-tabs.fixture.ts';
import { type Led, leadTabs } from './lead.ts';
import { guestLock, leaderLock, parseMessage, tabChannelName } from './messages.ts';

const hostile: readonly unknown[] = [
  null,
  undefined,
  'who',
  7,
  1n,
  [],
  {},
  new Map(),
  new Uint8Array(1 << 20),
  { ask: 'who' },
  { ask: 'who', id: {} },
  { ask: 'who', id: 'x'.repeat(1 << 20) },
  { ask: 'open', id: 'a', to: 'b', guest: 'c' },
  { ask: 'open', id: 'a', to: 'b', guest: 'tabnode.leader:x', options: {} },
  { ask: 'open', id: 'a', to: 'b', guest: guestLock('c'), options: null },
  { ask: 'nonsense', id: 'a' },
  { reply: 'who', id: 'a', leader: 'b', info: null },
  { reply: 'who', id: 'a', leader: 5, info: { genesisHash: '0x' } },
  { reply: 'open', id: 'a' },
  { reply: 'open', id: 'a', error: 'text' },
  { reply: 'status', id: 'a', outcome: null },
  { ask: 'close', id: 'a' },
  { left: 5 },
  { left: null },
];

/** A leading tab, and a script of the same origin that knows the names of the channels. */
const openLead = (led: Led) => {
  const chain = `lead-${crypto.randomUUID()}`;
  const over = new AbortController();
  const counts: number[] = [];
  leadTabs(
    chain,
    led,
    over.signal,
    () => undefined,
    (guests) => counts.push(guests.length),
  );
  const script = new BroadcastChannel(tabChannelName(chain));
  const replies: unknown[] = [];
  script.onmessage = ({ data }) => replies.push(data);
  onTestFinished(() => {
    over.abort();
    script.close();
  });
  return { chain, over, script, replies, counts };
};

describe('a tab with a node that others use', () => {
  it.each(hostile.map((word) => [word]))('ignores %o', (word) => {
    expect(parseMessage(word)).toBeNull();
  });

  it('still serves tabs after such messages', async () => {
    const led = createLed('first');
    const { chain, script, counts } = openLead(led);
    for (const word of hostile) script.postMessage(word);
    const leaving = new AbortController();
    const { node } = await attachNode(chain, leaving.signal);
    expect(await node.connection.request('who', [])).toBe('first');
    expect(led.opened()).toBe(1);
    expect(counts).toEqual([1]);
    leaving.abort();
    await expect.poll(() => counts).toEqual([1, 0]);
  });

  it('opens a bounded number of ports, however many are requested at once', async () => {
    const led = createLed('first');
    const { chain, script, replies } = openLead(led);
    const probe = { ask: 'who', id: 'probe' };
    script.postMessage(probe);
    await expect.poll(() => replies).toHaveLength(1);
    const { leader } = replies[0] as { readonly leader: string };
    const guest = guestLock(`${chain}-flood`);
    const held = new AbortController();
    onTestFinished(() => held.abort());
    await new Promise<void>((resolve) => {
      void navigator.locks.request(guest, () => {
        resolve();
        return new Promise<void>((free) => held.signal.addEventListener('abort', () => free()));
      });
    });
    for (let index = 0; index < 500; index += 1)
      script.postMessage({ ask: 'open', id: `flood-${index}`, to: leader, guest, options: {} });
    await expect.poll(() => replies).toHaveLength(501);
    expect(led.opened()).toBe(200);
    expect(replies.filter((reply) => (reply as { error?: unknown }).error != null)).toHaveLength(300);
  });
});

describe('a port that its tab does not wait for', () => {
  /** A tab with a connection, whose next port is `port1` once the test gives it; `hasEnded` of its other side. */
  const attach = async () => {
    const led = createLed('first');
    const { port1, port2 } = new MessageChannel();
    const asked = Promise.withResolvers<void>();
    const given = Promise.withResolvers<void>();
    const openLate = async (): Promise<MessagePort> => {
      asked.resolve();
      await given.promise;
      return port1;
    };
    const { chain, over, script } = openLead({
      ...led,
      openPort: (options) => (led.opened() === 0 ? led.openPort(options) : openLate()),
    });
    const heard: unknown[] = [];
    onPortMessage(port2, (data) => heard.push(data));
    const { node } = await attachNode(chain, over.signal);
    return { node, script, asked: asked.promise, give: given.resolve, heard };
  };

  it('is closed when it opens after the tab has given up', async () => {
    const { node, asked, give, heard } = await attach();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const refused = expect(node.openPort()).rejects.toMatchObject({ code: 'Disconnected' });
    await asked;
    await vi.advanceTimersByTimeAsync(2000);
    await refused;
    vi.useRealTimers();
    give();
    await expect.poll(() => heard).toEqual([{ note: 'bye' }]);
    // Only its own connection is closed.
    expect(await node.connection.request('who', [])).toBe('first');
  });

  it('is closed when the word comes after it has opened', async () => {
    const { node, script, give, heard } = await attach();
    const question = new Promise<{ readonly id: string; readonly to: string }>((resolve) => {
      script.onmessage = ({ data }) => {
        if (data.ask === 'open') resolve(data);
      };
    });
    give();
    await node.openPort();
    const { id, to } = await question;
    script.postMessage({ ask: 'close', id, to: 'another tab' });
    script.postMessage({ ask: 'close', id: 'another port', to });
    expect(await node.connection.request('who', [])).toBe('first');
    expect(heard).toEqual([]);
    script.postMessage({ ask: 'close', id, to });
    await expect.poll(() => heard).toEqual([{ note: 'bye' }]);
  });
});

it('a tab whose lock is denied, because the browser stores nothing for the page, keeps its chain; one whose lock is stolen does not', async () => {
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const denied = Promise.reject(new DOMException('denied', 'SecurityError'));
  const request = vi.spyOn(navigator.locks, 'request').mockReturnValueOnce(denied);
  const [mine, stolen] = [vi.fn(), vi.fn()];
  leadTabs('mine', createLed('mine'), over.signal, mine);
  request.mockRestore();
  leadTabs('stolen', createLed('stolen'), over.signal, stolen);
  const { held = [], pending = [] } = await navigator.locks.query();
  const lock = [...held, ...pending].find(({ name }) => name?.startsWith(leaderLock('stolen', '')));
  await navigator.locks.request(lock?.name ?? '', { steal: true }, () => undefined);
  await vi.waitFor(() => expect(stolen).toHaveBeenCalledOnce());
  expect(mine).not.toHaveBeenCalled();
});
