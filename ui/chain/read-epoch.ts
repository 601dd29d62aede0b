import { createCursor, takeUnsigned } from '../meta/cursor.ts';
import { fromHex } from '../meta/hex.ts';
import { type Authority, takeAuthorities } from './read-digest.ts';

/** An epoch of BABE (sp_consensus_babe::Epoch), as far as the page shows it. */
export type Epoch = {
  readonly index: number;
  readonly startSlot: number;
  /** In slots. */
  readonly duration: number;
  readonly authorities: readonly Authority[];
};

type Node = { request(method: string, params: readonly unknown[]): Promise<unknown> };

const readEpoch = (hex: string): Epoch => {
  const cursor = createCursor(fromHex(hex));
  const [index, startSlot, duration] = [0, 0, 0].map(() => Number(takeUnsigned(cursor, 8)));
  return {
    index: index ?? 0,
    startSlot: startSlot ?? 0,
    duration: duration ?? 0,
    authorities: takeAuthorities(cursor),
  };
};

/** The epoch a block belongs to; null when its runtime has no BABE. */
export const loadEpoch = async (node: Node, hash: string): Promise<Epoch | null> => {
  try {
    return readEpoch((await node.request('state_call', ['BabeApi_current_epoch', '0x', hash])) as string);
  } catch {
    return null;
  }
};

/** Authorities of Aura at a block; null when its runtime has no Aura. */
export const loadAuraAuthorities = async (node: Node, hash: string): Promise<readonly string[] | null> => {
  try {
    const hex = (await node.request('state_call', ['AuraApi_authorities', '0x', hash])) as string;
    return fromHex(hex).length < 33 ? [] : (hex.slice(4).match(/.{64}/g) ?? []).map((id) => `0x${id}`);
  } catch {
    return null;
  }
};

/** Milliseconds of a slot; null when the runtime has no slots. */
export const loadSlotMs = async (node: Node): Promise<number | null> => {
  for (const method of ['BabeApi_configuration', 'AuraApi_slot_duration']) {
    try {
      const hex = (await node.request('state_call', [method, '0x'])) as string;
      return Number(takeUnsigned(createCursor(fromHex(hex)), 8)) || null;
    } catch {
      // The other engine may be there.
    }
  }
  return null;
};
