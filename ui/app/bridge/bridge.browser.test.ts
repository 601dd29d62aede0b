import { expect, it, onTestFinished, vi } from 'vitest';
import '../../base.css';
import '../../tokens.css';
import type { ShareOptions, ShareState } from '../../../src/bridge/keep-shared.ts';
import { claimTab } from '../../../src/bridge/tab-id.ts';
import { keepPass, readPass, takePairing } from '../../node/bridge-pass.ts';
import { mountIn, openContext, press, settle } from '../../testing/open-page.ts';
import BridgePill from './BridgePill.svelte';

type Options = Omit<ShareOptions, 'allowsUnsafe'>;
const fakes = vi.hoisted(() => ({ relays: [] as unknown[] }));
vi.mock('./relay.ts', () => ({
  startRelay: (options: Options, unsafe: boolean) => {
    const relay = { options, unsafe, closed: [] as boolean[] };
    fakes.relays.push(relay);
    return {
      allow: (allowed: boolean) => Object.assign(relay, { unsafe: allowed }),
      disconnect: () => undefined,
      close: (forget: boolean) => relay.closed.push(forget),
    };
  },
}));
type FakeRelay = { readonly options: Options; unsafe: boolean; readonly closed: boolean[] };

const ws = 'ws://127.0.0.1:9944';
const serving: ShareState = { kind: 'serving', address: { name: 'Fake', ws, http: 'http://127.0.0.1:9933' } };

/** The pill of a page whose bridges the test plays. */
const openPill = () => {
  onTestFinished(() => {
    sessionStorage.clear();
    fakes.relays.length = 0;
  });
  const { context } = openContext(() => null);
  const onover = vi.fn();
  const mountPill = () => mountIn(context, BridgePill, { onover });
  const relay = async (index: number) => {
    await vi.waitFor(() => expect(fakes.relays.length).toBeGreaterThan(index));
    return fakes.relays[index] as FakeRelay;
  };
  const tell = async ({ options }: FakeRelay, state: ShareState) => {
    options.onState(state);
    await settle();
  };
  /** The bridge proves itself, and asks. */
  const ask = async (one: FakeRelay, acceptFirst = false) => {
    await tell(one, { kind: 'asking' });
    const agreed = vi.fn();
    void one.options.agree(acceptFirst).then(agreed);
    await settle();
    return agreed;
  };
  return { mountPill, relay, tell, ask, onover };
};
const openAddress = (address: string) => {
  history.replaceState(null, '', `#bridge=${address}`);
  takePairing(location.pathname + location.search);
};
/** Follows a link to another panel, which closes an open dialog. */
const leave = async (page: HTMLElement) => {
  const dialog = page.querySelector('dialog');
  const closed = dialog && new Promise((resolve) => dialog.addEventListener('close', resolve));
  dispatchEvent(new PopStateEvent('popstate'));
  await closed;
};
const textOf = (page: HTMLElement) => page.textContent.replace(/\s+/g, ' ');

it('an address ticks nothing: unsafe calls are the user’s choice, unless the bridge was started for automation', async () => {
  const { mountPill, relay, ask } = openPill();
  openAddress(`${ws}&code=x&accept=1&unsafe=1`);
  const page = mountPill();
  const plain = await relay(0);
  await ask(plain);
  expect(textOf(page)).toContain('Share this chain?');
  expect(page.querySelector<HTMLInputElement>('[type="checkbox"]')?.checked).toBe(false);
  press(page, 'Share this chain');
  expect(plain.unsafe).toBe(false);
  await settle();
  await leave(page);
  expect(plain.closed, 'declined by leaving after it was agreed to').toEqual([]);
});

it('a bridge that was started for automation is not asked about, and gets what its address says', async () => {
  const { mountPill, relay, ask } = openPill();
  openAddress(`${ws}&code=x&accept=1&unsafe=1`);
  const page = mountPill();
  const automatic = await relay(0);
  const agreed = await ask(automatic, true);
  expect([agreed.mock.calls.length, automatic.unsafe]).toEqual([1, true]);
  // As a program may do at once, before the bridge serves the page.
  await leave(page);
  expect([page.querySelector('dialog'), automatic.closed]).toEqual([null, []]);
});

it('who declines is told nothing more, and a code that is refused says at once why', async () => {
  const { mountPill, relay, ask, tell, onover } = openPill();
  openAddress(`${ws}&code=x`);
  const page = mountPill();
  const declined = await relay(0);
  await ask(declined);
  press(page, 'Don’t share');
  expect([declined.closed, onover.mock.calls.length, readPass()]).toEqual([[true], 1, null]);
  expect(textOf(page)).not.toContain('declined');

  openAddress(`${ws}&code=used`);
  const again = mountPill();
  const reason = 'The pairing code is wrong, used or expired';
  await tell(await relay(1), { kind: 'ended', reason });
  const dialog = again.querySelector('dialog');
  expect(dialog?.textContent).toContain('The bridge was not connected');
  expect(dialog?.textContent).toContain(reason);
  expect(textOf(again)).toContain('Bridge: not connected');
  const gap = (name: string) => dialog?.querySelector(name)?.getBoundingClientRect().top ?? 0;
  expect(gap('.notice') - gap('.body'), 'no empty space above the reason').toBeLessThan(30);
  press(again, 'Dismiss');
  expect(onover).toHaveBeenCalledTimes(2);
});

it('a paired bridge works on until the user agrees to another', async () => {
  const { mountPill, relay, ask, tell, onover } = openPill();
  keepPass({
    url: ws,
    secret: { kind: 'token', value: 't' },
    unsafe: true,
    accept: false,
    tab: await claimTab(),
  });
  mountPill();
  const paired = await relay(0);
  await tell(paired, serving);
  const other = 'ws://127.0.0.1:4000';

  openAddress(`${ws}&code=unanswered`);
  const first = mountPill();
  await ask(await relay(1));
  // The dialog of an address that is left for another is closed once the other is stored.
  openAddress(`${other}&code=wrong`);
  press(first, 'Don’t share');
  const page = mountPill();
  const refused = await relay(2);
  // Another program may listen there.
  await tell(refused, { kind: 'waiting', wasOpen: false, reason: '' });
  expect(textOf(page)).toContain(`No bridge answers at ${other}.`);
  await tell(refused, { kind: 'ended', reason: 'The pairing code is wrong, used or expired' });
  expect(textOf(page)).toContain('The bridge was not connected');
  press(page, 'Dismiss');
  expect(textOf(page)).toContain('Bridge: 0 clients');
  expect([paired.closed, readPass()?.url, onover.mock.calls.length]).toEqual([[], ws, 0]);

  openAddress(`${other}&code=right`);
  const asking = mountPill();
  const next = await relay(3);
  const agreed = await ask(next);
  expect(textOf(asking)).toContain(`It replaces the bridge at ${ws}, whose programs are disconnected.`);
  expect(paired.closed).toEqual([]);
  press(asking, 'Share this chain');
  await vi.waitFor(() => expect(agreed).toHaveBeenCalled());
  next.options.keep({ url: other, secret: { kind: 'token', value: 'n' } });
  paired.options.keep(null);
  expect([paired.closed, readPass()?.url, readPass('code')]).toEqual([[true], other, null]);
});

it('the pass of a duplicated tab belongs to its original, also when the node starts again', async () => {
  const tab = await claimTab();
  const token = { url: ws, secret: { kind: 'token', value: 't' }, unsafe: false, accept: false } as const;
  const { mountPill, relay } = openPill();
  keepPass({ ...token, tab: 'another' });
  const page = mountPill();
  await vi.waitFor(() => expect(textOf(page)).toContain('Bridge: not connected'));
  expect([fakes.relays, readPass()]).toEqual([[], null]);
  const again = openPill();
  keepPass({ ...token, tab });
  again.mountPill();
  await relay(0);
});
