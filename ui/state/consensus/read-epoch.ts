import { readApis } from '../../client/runtime-version.ts';
import type { UiNode } from '../../client/ui-node.ts';
import { createCursor, takeUnsigned } from '../../meta/cursor.ts';
import { fromHex } from '../../meta/hex.ts';
import { faultText } from '../../text/format.ts';
import { type Authority, takeAuthorities } from './read-digest.ts';

/** A BABE epoch (sp_consensus_babe::Epoch), reduced to what the page shows. */
export type Epoch = {
  readonly index: number;
  readonly startSlot: number;
  /** In slots. */
  readonly duration: number;
  readonly authorities: readonly Authority[];
};

type Node = Pick<UiNode, 'request'>;

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

/** Ids of runtime APIs as in the runtime version: blake2b-64 of the trait's name. */
export const apiIds = { babe: '0xcbca25e39f142387', aura: '0xdd718d5cc53262d4' } as const;

/**
 * Calls a runtime API at a block. Returns the result as 0x text, or null if the runtime does not have the
 * API. Rejects if it has the API but the call fails, or if its version cannot be read after a failure.
 */
const callApi = async (node: Node, api: string, method: string, hash: string): Promise<string | null> => {
  try {
    return await node.request('state_call', [method, '0x', hash]);
  } catch (fault) {
    const version = await node.request('state_getRuntimeVersion', [hash]);
    if (readApis(version)?.every(([id]) => id !== api)) return null;
    throw fault;
  }
};

/** Whether a call failed because the runtime has no such method, by the error message of sc-executor. */
export const isMissingMethod = (fault: unknown): boolean =>
  /Exported method \S+ is not found/.test(faultText(fault));

/** The epoch of a block; null if its runtime has no BABE. Rejects if it cannot be read. */
export const loadEpoch = async (node: Node, hash: string): Promise<Epoch | null> => {
  const hex = await callApi(node, apiIds.babe, 'BabeApi_current_epoch', hash);
  return hex === null ? null : readEpoch(hex);
};

/**
 * Aura authorities at a block as 0x text; null if its runtime has no Aura. Rejects if they cannot be read.
 */
export const loadAuraAuthorities = async (node: Node, hash: string): Promise<readonly string[] | null> => {
  const hex = await callApi(node, apiIds.aura, 'AuraApi_authorities', hash);
  if (hex === null) return null;
  return fromHex(hex).length < 33 ? [] : (hex.slice(4).match(/.{64}/g) ?? []).map((id) => `0x${id}`);
};

/** The slot duration in milliseconds; null if neither BABE nor Aura returns one. */
export const loadSlotMs = async (node: Node): Promise<number | null> => {
  for (const method of ['BabeApi_configuration', 'AuraApi_slot_duration']) {
    try {
      const hex = await node.request('state_call', [method, '0x']);
      return Number(takeUnsigned(createCursor(fromHex(hex)), 8)) || null;
    } catch {
      // Try the other engine.
    }
  }
  return null;
};
