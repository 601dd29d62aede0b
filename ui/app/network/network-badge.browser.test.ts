import { expect, it, vi } from 'vitest';
import '../../tokens.css';
import '../../base.css';
import '../../panels.css';
import type { ChainNetwork } from '../../node/session/chain-entry.ts';
import type { Session } from '../../node/session/session.svelte.ts';
import { mountIn, openContext, press } from '../../testing/open-page.ts';
import NetworkBadge from './NetworkBadge.svelte';

const peerId = '12D3KooWDpJ7As7BWAwRMfu1VU2WCqNjvq387JEYKDBj4kx6nXTN';
const peer = {
  peerId,
  roles: 'AUTHORITY',
  bestHash: `0x${'0b'.repeat(32)}`,
  bestNumber: 2000,
  reputation: -5,
};

/** The badge of a chain in a network, whose node answers what `now` says. */
const open = (change: object = {}, kept: ChainNetwork = { isOn: true, bootNodes: ['/a'], tabs: false }) => {
  const now = { joined: true, peers: [peer], unreachable: {}, isSyncing: false, best: 2000, ...change };
  const asked: unknown[] = [];
  const { context } = openContext((method, params) => {
    if (method === 'system_health')
      return { peers: now.peers.length, isSyncing: now.isSyncing, shouldHavePeers: true };
    if (method === 'system_syncState')
      return { startingBlock: 0, currentBlock: now.best, highestBlock: 2000 };
    if (method !== 'dev_network') return null;
    if (params.length > 0) {
      asked.push(params[0]);
      now.joined = 'join' in (params[0] as object);
    }
    return now;
  });
  const entry = { id: 'a', network: kept };
  const changed = vi.fn();
  const session = { entry, book: { change: changed } } as unknown as Session;
  const page = mountIn({ ...context, session }, NetworkBadge, {});
  const badge = () => page.querySelector('button.tag')?.textContent.trim().replace(/\s+/g, ' ');
  return { page, badge, asked, changed, now };
};

it.each([
  [{}, '1 peer'],
  [{ peers: [] }, 'no peers'],
  [{ isSyncing: true, best: 900 }, 'syncing 45 % , 1 peer'],
  [{ joined: false, peers: [] }, 'not joined'],
])('with %o it says “%s”', async (change, text) => {
  const { badge } = open(change);
  await vi.waitFor(() => expect(badge()?.replace('%,', '% ,')).toBe(text));
});

it('without peers, nothing is said of their best block', async () => {
  const { page, badge } = open({ peers: [] });
  await vi.waitFor(() => expect(badge()).toBe('no peers'));
  press(page, /no peers/);
  await vi.waitFor(() => expect(page.textContent).toMatch(/The best block is #2.000\./));
});

it('lists the peers, and why others were not reached; leaving is remembered by the chain', async () => {
  const { page, badge, asked, changed } = open({
    unreachable: { [`${peerId}x`]: 'ws://h:1/ cannot be reached' },
  });
  await vi.waitFor(() => expect(badge()).toBe('1 peer'));
  press(page, /1 peer/);
  await vi.waitFor(() => expect(page.textContent).toContain('ws://h:1/ cannot be reached'));
  expect(page.querySelector('[aria-label="Peers"]')?.textContent).toMatch(
    /12D3KooWDp…x6nXTN\s*authority\s*#2.000\s*-5/,
  );
  press(page, 'Leave the network');
  await vi.waitFor(() =>
    expect(changed).toHaveBeenCalledWith('a', { network: { isOn: false, bootNodes: ['/a'], tabs: false } }),
  );
  expect(asked).toEqual([{ leave: true }]);
  await vi.waitFor(() => expect(page.textContent).toContain('has left its network'));
  press(page, 'Join again');
  await vi.waitFor(() => expect(asked).toEqual([{ leave: true }, { join: { bootNodes: ['/a'] } }]));
});
