import { readApis } from '../../client/runtime-version.ts';
import type { UiNode } from '../../client/ui-node.ts';
import { createCursor, takeBytes } from '../../meta/cursor.ts';
import { fromHex } from '../../meta/hex.ts';
import { countText } from '../../text/format.ts';
import { takeAuthorities } from './read-digest.ts';
import { apiIds, loadAuraAuthorities } from './read-epoch.ts';

type Node = Pick<UiNode, 'request'>;

/** Who may seal the next block, and whether the node has a key of one of them. */
export type Authorship = {
  readonly engine: 'babe' | 'aura';
  readonly authorities: number;
  readonly isHeld: boolean;
};

/** What precedes the authorities in BABE's configuration (sp_consensus_babe): slot duration, epoch length, c; 8 bytes each number. */
const beforeAuthorities = 32;

/** The other fields of the configuration have changed since 2020; those up to the authorities have not. */
const loadBabeAuthorities = async (node: Node, hash: string): Promise<readonly string[]> => {
  const cursor = createCursor(
    fromHex(await node.request('state_call', ['BabeApi_configuration', '0x', hash])),
  );
  takeBytes(cursor, beforeAuthorities);
  return takeAuthorities(cursor).map(({ id }) => id);
};

/** Of the best block; null if its runtime has neither BABE nor Aura: then no key is needed. */
export const loadAuthorship = async (node: Node): Promise<Authorship | null> => {
  const hash = String(await node.request('chain_getBlockHash', []));
  const apis = readApis(await node.request('state_getRuntimeVersion', [hash]));
  const engine = (['babe', 'aura'] as const).find((name) => apis?.some(([id]) => id === apiIds[name]));
  if (engine === undefined) return null;
  const ids =
    engine === 'babe'
      ? await loadBabeAuthorities(node, hash)
      : ((await loadAuraAuthorities(node, hash)) ?? []);
  const keys = await node.request('dev_listKeys', []);
  const isHeld = keys.some(({ keyType, publicKey }) => keyType === engine && ids.includes(publicKey));
  return { engine, authorities: ids.length, isHeld };
};

/** Why the node can seal no block, in a sentence; null if it can, or nobody knows. */
export const keylessText = (of: Authorship | null): string | null => {
  if (of === null || of.isHeld) return null;
  const name = of.engine === 'babe' ? 'BABE' : 'Aura';
  return of.authorities === 0
    ? `The chain has no ${name} authority, so no node can seal a block.`
    : `The node has no key of the chain’s ${countText(of.authorities, `${name} authority`).replace(/ys$/, 'ies')}, so it cannot seal blocks.`;
};
