import { afterEach, expect, it, vi } from 'vitest';
import { onPortMessage } from '../protocol/port.ts';
import { fakeInfo } from './fake-tabs.fixture.ts';
import { linkTabs } from './link-tabs.ts';

const ends: AbortController[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end.abort();
});

/** A node of a tab, which greets at each link and notes what arrives there. */
const openTab = (name: string, genesisHash = fakeInfo.genesisHash) => {
  const heard: unknown[][] = [];
  const ports: MessagePort[] = [];
  const end = new AbortController();
  ends.push(end);
  const openLink = async (port: MessagePort) => {
    const list: unknown[] = [];
    heard.push(list);
    ports.push(port);
    onPortMessage(
      port,
      (data) => void list.push(data instanceof Uint8Array ? String.fromCharCode(...data) : data),
    );
    port.postMessage(new TextEncoder().encode(`from ${name}`));
    return async () => port.close();
  };
  linkTabs({ info: { ...fakeInfo, genesisHash }, openLink }, end.signal);
  return { heard, ports, end };
};

it('links each pair of tabs of a chain once, whatever the order, and passes bytes both ways', async () => {
  const [a, b, c] = [openTab('a'), openTab('b'), openTab('c')];
  const other = openTab('other', `0x${'11'.repeat(32)}`);
  const sorted = ({ heard }: typeof a) => heard.flat().toSorted();
  await vi.waitFor(() => {
    expect(sorted(a)).toEqual(['from b', 'from c']);
    expect(sorted(b)).toEqual(['from a', 'from c']);
    expect(sorted(c)).toEqual(['from a', 'from b']);
  });
  const late = openTab('late');
  await vi.waitFor(() => expect(sorted(late)).toEqual(['from a', 'from b', 'from c']));
  expect(a.heard).toHaveLength(3);
  expect(other.heard).toEqual([]);
});

it('a tab that ends ends its links, with a reason', async () => {
  const [a, b] = [openTab('a'), openTab('b')];
  await vi.waitFor(() => expect(a.heard).toEqual([['from b']]));
  b.end.abort();
  await vi.waitFor(() => expect(a.heard).toEqual([['from b', 'The other tab is gone']]));
});

it('a link that breaks while both tabs live is made again', async () => {
  const [a, b] = [openTab('a'), openTab('b')];
  await vi.waitFor(() => expect([a.heard, b.heard]).toEqual([[['from b']], [['from a']]]));
  a.ports[0]?.postMessage('The other side has closed the connection');
  await vi.waitFor(
    () => expect(b.heard).toEqual([['from a', expect.any(String), 'The other tab is gone'], ['from a']]),
    5000,
  );
});

it('what others post on the channel links nothing', async () => {
  const a = openTab('a');
  const channel = new BroadcastChannel(`tabnode.peers:${fakeInfo.genesisHash}:`);
  for (const message of [null, 1, 'hello', {}, { hello: 1 }, { hello: 'x' }, { offer: 'x' }, { accept: 'y' }])
    channel.postMessage(message);
  const b = openTab('b');
  await vi.waitFor(() => expect(b.heard).toEqual([['from a']]));
  expect(a.heard).toEqual([['from b']]);
  channel.close();
});
