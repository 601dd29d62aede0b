import { describe, expect, it } from 'vitest';
import { ChainView } from './chain-view.svelte.ts';

const info = {
  chainName: 'Fake',
  genesisHash: '0x00',
  bestHash: '0x07',
  bestNumber: 7,
  finalizedNumber: 5,
};

const openView = (isFresh: boolean, starting?: Promise<typeof info>) => {
  const asked: string[] = [];
  const request = async (method: string) => {
    asked.push(method);
    return method === 'chain_getHeader' ? { number: '0x8' } : '0x08';
  };
  const view = new ChainView({
    info,
    isFresh,
    starting,
    request,
    subscribe: () => ({ opened: Promise.resolve() }),
  } as never);
  return { view, asked };
};

describe('the best block of a page', () => {
  it('is taken from the start info', async () => {
    const { view, asked } = openView(true);
    expect(view.best).toEqual({ number: 7, hash: '0x07' });
    expect(view.finalized).toBe(5);
    await view.sync();
    expect(asked).toEqual([]);
    expect(view.best).toEqual({ number: 7, hash: '0x07' });
  });

  it('is requested from a node that was already running, whose start info is outdated', async () => {
    const { view, asked } = openView(false);
    expect(view.best).toBeNull();
    await view.sync();
    expect(asked).toEqual(['chain_getHeader', 'chain_getBlockHash']);
    expect(view.best).toEqual({ number: 8, hash: '0x08' });
  });

  it('is taken from the start info of a node that is still starting, once it runs', async () => {
    const { promise, resolve } = Promise.withResolvers<typeof info>();
    const { view, asked } = openView(false, promise);
    const synced = view.sync();
    expect(view.best).toBeNull();
    resolve(info);
    await synced;
    expect(view.best).toEqual({ number: 7, hash: '0x07' });
    expect(view.finalized).toBe(5);
    expect(asked).toEqual([]);
  });
});
