import { writeJson } from '../../../src/protocol/json.ts';
import { isShape, isText } from '../../kit/page/guards.ts';
import { readKeptList } from '../../kit/page/kept.ts';

const key = 'tabnode.nodes';
const mostKept = 12;

/** A node that was connected to before; its id is its URL. */
export type KnownNode = { readonly id: string; readonly chain: string };

const isKnown = isShape<KnownNode>({ id: isText, chain: isText });

/** Previously connected nodes, the latest first. */
export const knownNodes = (): readonly KnownNode[] => readKeptList(localStorage, key, isKnown) ?? [];

const others = (id: string): readonly KnownNode[] => knownNodes().filter((node) => node.id !== id);

const keep = (nodes: readonly KnownNode[]): void =>
  localStorage.setItem(key, writeJson(nodes.slice(0, mostKept)));

export const noteNode = (node: KnownNode): void => keep([node, ...others(node.id)]);

export const forgetNode = (id: string): void => keep(others(id));
