import { expect, it } from 'vitest';
import type { ChainView } from '../../../node/chain-view.svelte.ts';
import type { UiNode } from '../../../node/client/ui-node.ts';
import { apiIds } from '../../../node/consensus/read-epoch.ts';
import { EpochView } from './epoch-view.svelte.ts';

const u64 = (value: number): string => {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value), true);
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
};
/** An epoch without authorities. */
const epochHex = (index: number): string => `0x${u64(index)}${u64(index * 600)}${u64(600)}00`;

/** A view over a node whose epochs the test sends. */
const openView = () => {
  const epochs = new Map<string, PromiseWithResolvers<string>>();
  const request = (method: string, params: readonly unknown[]): Promise<unknown> => {
    if (method === 'state_getStorage') return Promise.resolve(null);
    const next = Promise.withResolvers<string>();
    epochs.set(String(params[2]), next);
    return next.promise;
  };
  const chain = { blocks: [], keptBlocks: [], loadBelow: async () => undefined } as unknown as ChainView;
  return { view: new EpochView({ request } as unknown as UiNode, chain), epochs };
};
const settled = () => new Promise((resolve) => setTimeout(resolve));

it('drops the epoch of an earlier block that arrives late, and why it could not be read', async () => {
  const { view, epochs } = openView();
  for (const hash of ['0xa', '0xb', '0xc']) void view.read(hash);
  epochs.get('0xb')?.resolve(epochHex(2));
  await settled();
  epochs.get('0xa')?.resolve(epochHex(1));
  await settled();
  expect([view.now.epoch?.index, view.now.fault]).toEqual([2, null]);
  epochs.get('0xc')?.resolve(epochHex(3));
  await settled();
  expect(view.now.epoch?.index).toBe(3);
});

it('says of a runtime whose BABE does not offer its epoch that this cannot be shown, without a fault', async () => {
  const { view, epochs } = openView();
  void view.read('0xa');
  epochs.get('0xa')?.reject(new Error('Exported method BabeApi_current_epoch is not found'));
  await settled();
  epochs.get('undefined')?.resolve({ apis: [[apiIds.babe, 1]] } as never);
  await settled();
  expect([view.now.none, view.now.fault]).toEqual([expect.stringMatching(/uses BABE, but is too old/), null]);
});
