import { createCursor, takeUnsigned } from '../meta/cursor.ts';
import { fromHex } from '../meta/hex.ts';
import { faultText } from '../state/format.ts';
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

/** Ids of runtime APIs, as the runtime's version lists them: blake2b-64 of the trait's name. */
export const apiIds = { babe: '0xcbca25e39f142387', aura: '0xdd718d5cc53262d4' } as const;

/** The answer of a runtime API at a block; null where its runtime does not have the API. Throws when the call fails though it has. */
const callApi = async (node: Node, api: string, method: string, hash: string): Promise<string | null> => {
  try {
    return (await node.request('state_call', [method, '0x', hash])) as string;
  } catch (fault) {
    const version = (await node.request('state_getRuntimeVersion', [hash])) as {
      readonly apis?: readonly (readonly [string, number])[];
    };
    if (version.apis?.every(([id]) => id !== api)) return null;
    throw fault;
  }
};

/** Whether a call failed because the runtime, of whatever version of the API, has no such method (sc-executor's words). */
export const isMissingMethod = (fault: unknown): boolean =>
  /Exported method \S+ is not found/.test(faultText(fault));

/** The epoch a block belongs to; null when its runtime has no BABE. Throws when it cannot be read. */
export const loadEpoch = async (node: Node, hash: string): Promise<Epoch | null> => {
  const hex = await callApi(node, apiIds.babe, 'BabeApi_current_epoch', hash);
  return hex === null ? null : readEpoch(hex);
};

/** Authorities of Aura at a block; null when its runtime has no Aura. Throws when they cannot be read. */
export const loadAuraAuthorities = async (node: Node, hash: string): Promise<readonly string[] | null> => {
  const hex = await callApi(node, apiIds.aura, 'AuraApi_authorities', hash);
  if (hex === null) return null;
  return fromHex(hex).length < 33 ? [] : (hex.slice(4).match(/.{64}/g) ?? []).map((id) => `0x${id}`);
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
