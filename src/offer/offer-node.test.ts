import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { TabNode } from '../tab-node.ts';
import { startNodeInThread } from '../thread.ts';
import { findNodes } from './find-nodes.ts';
import { offersChannel } from './messages.ts';
import { type OfferDetail, type OfferOptions, type OfferUser, offerNode } from './offer-node.ts';

let node: TabNode;
beforeAll(async () => {
  node = await startNodeInThread({ seal: 'manual' });
});
afterAll(() => node.stop());

// A page's window, as far as the events of substrate-connect need one.
beforeEach(() => {
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('dispatchEvent', page.dispatchEvent.bind(page));
  return () => vi.unstubAllGlobals();
});

const offer = (options: OfferOptions = {}, of: Parameters<typeof offerNode>[0] = node): (() => void) => {
  const withdraw = offerNode(of, options);
  onTestFinished(withdraw);
  return withdraw;
};

const requestDetail = (): OfferDetail => {
  const details: OfferDetail[] = [];
  const onProvider = (detail: OfferDetail): void => void details.push(detail);
  dispatchEvent(new CustomEvent('substrateDiscovery:requestProvider', { detail: { onProvider } }));
  const [detail] = details;
  if (detail === undefined) throw new Error('no offer');
  return detail;
};

describe('a node offered to scripts', () => {
  it('is refused with 4900 once the offer has ended', async () => {
    const withdraw = offer();
    const { request } = await requestDetail().provider;
    expect(await request({ method: 'system_chain' })).toBe('Development');
    withdraw();
    await expect(request({ method: 'system_chain' })).rejects.toMatchObject({ code: 4900 });
  });

  it('closes a connection that was being opened when the offer ended', async () => {
    const opening = Promise.withResolvers<void>();
    const closed: boolean[] = [];
    const slow: Parameters<typeof offerNode>[0] = {
      ...node,
      connect: async (choice) => {
        await opening.promise;
        const connection = await node.connect(choice);
        connection.onClose(() => closed.push(true));
        return connection;
      },
    };
    const withdraw = offer({}, slow);
    const asking = (await requestDetail().provider).request({ method: 'system_chain' });
    asking.catch(() => undefined);
    withdraw();
    opening.resolve();
    await expect(asking).rejects.toMatchObject({ code: 4900 });
    expect(closed).toEqual([true]);
  });

  it('cannot be changed by one script for another', () => {
    offer({ name: 'Mine' });
    const detail = requestDetail();
    expect(() => Object.assign(detail.info, { name: 'Yours' })).toThrow(TypeError);
    expect(requestDetail().info.name).toBe('Mine');
  });

  it('reaches the listeners of other scripts when one of them throws', async () => {
    const faults: unknown[] = [];
    const microtask = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((run) => {
      try {
        run();
      } catch (fault) {
        faults.push(fault);
      }
    });
    onTestFinished(() => microtask.mockRestore());
    offer();
    const provider = await requestDetail().provider;
    const chains: string[] = [];
    const fault = new Error('a script of the page');
    provider.on('connect', () => {
      throw fault;
    });
    provider.on('connect', ({ genesisHash }) => chains.push(genesisHash));
    expect(await provider.request({ method: 'system_chain' })).toBe('Development');
    expect(chains).toEqual([node.info.genesisHash]);
    expect(faults).toContain(fault);
  });
});

describe('the users of an offer', () => {
  it('are reported while they are connected', async () => {
    const seen: (readonly OfferUser['kind'][])[] = [];
    const withdraw = offer({ onUsers: (users) => seen.push(users.map(({ kind }) => kind)) });
    const { request } = await requestDetail().provider;
    await request({ method: 'system_chain' });
    expect(seen).toEqual([['script']]);
    const [found] = await findNodes();
    const other = await found?.open();
    expect(seen.at(-1)).toEqual(['page', 'script']);
    await other?.stop();
    await expect.poll(() => seen.at(-1)).toEqual(['script']);
    withdraw();
    expect(seen.at(-1)).toEqual([]);
  });

  it.each(['script', 'page'] as const)('can be disconnected one by one: a %s', async (kind) => {
    let users: readonly OfferUser[] = [];
    offer({
      onUsers: (now) => {
        users = now;
      },
    });
    const provider = await requestDetail().provider;
    await provider.request({ method: 'system_chain' });
    const page = await (await findNodes())[0]?.open();
    if (page === undefined) throw new Error('no offer');
    const ended = new Promise((resolve) => {
      if (kind === 'script') provider.on('disconnect', resolve);
      else page.connection.onClose(resolve);
    });
    users.find((user) => user.kind === kind)?.disconnect();
    expect(users.map((user) => user.kind)).toEqual([kind === 'script' ? 'page' : 'script']);
    await ended;
    expect(
      await (kind === 'script' ? page.rpc.system_chain() : provider.request({ method: 'system_chain' })),
    ).toBe('Development');
    await page.stop();
  });
});

describe('a page that looks for offers', () => {
  it('ignores what is not an offer', async () => {
    const script = new BroadcastChannel(offersChannel);
    onTestFinished(() => script.close());
    offer({ name: 'Mine' });
    const words = [null, 'offer', 5, [], {}, { offer: null }, { offer: { uuid: 5, name: {} } }, { ask: 7 }];
    script.onmessage = () => {
      for (const message of words) script.postMessage(message);
    };
    const found = await findNodes();
    expect(found.map(({ name }) => name)).toEqual(['Mine']);
  });
});
