import { expect, it } from 'vitest';
import type { UiNode } from '../../client/ui-node.ts';
import type { ChainView } from '../../state/chain-view.svelte.ts';
import { EpochView } from './epoch-view.svelte.ts';

const u64 = (value: number): string => {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value), true);
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
};
/** An epoch without authorities. */
const epochHex = (index: number): string => `0x${u64(index)}${u64(index * 600)}${u64(600)}00`;

/** A view over a node whose epochs the test sends, and whose keys may claim a slot of each. */
const openView = () => {
  const epochs = new Map<string, PromiseWithResolvers<string>>();
  const claims: PromiseWithResolvers<object>[] = [];
  const request = (method: string, params: readonly unknown[]): Promise<unknown> => {
    if (method === 'state_getStorage') return Promise.resolve(null);
    if (method === 'babe_epochAuthorship') {
      const next = Promise.withResolvers<object>();
      claims.push(next);
      return next.promise;
    }
    const next = Promise.withResolvers<string>();
    epochs.set(String(params[2]), next);
    return next.promise;
  };
  const chain = { blocks: [], loadOlder: async () => undefined } as unknown as ChainView;
  return { view: new EpochView({ request } as unknown as UiNode, chain), epochs, claims };
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

it('drops the slots of an earlier epoch that arrive late', async () => {
  const { view, epochs, claims } = openView();
  const slots = (slot: number) => ({ '5Unknown': { primary: [slot], secondary: [], secondary_vrf: [] } });
  void view.read('0xa');
  epochs.get('0xa')?.resolve(epochHex(1));
  await settled();
  void view.read('0xb');
  epochs.get('0xb')?.resolve(epochHex(2));
  await settled();
  claims[1]?.resolve(slots(1201));
  await settled();
  claims[0]?.resolve(slots(600));
  await settled();
  expect(view.cells.filter(({ may }) => may?.length).map(({ slot }) => slot)).toEqual([1201]);
});
