import type { ChainSource } from '../../../src/index.ts';
import { isBoolean, isListOf, isOneOf, isShape, isText, orNull } from '../../kit/page/guards.ts';

/**
 * What a chain was created from. Chain specs and runtimes are kept in the payload store under the chain's id.
 */
export type ChainOrigin =
  | { readonly kind: 'preset'; readonly preset: 'development' | 'local_testnet' }
  | { readonly kind: 'spec' }
  | { readonly kind: 'wasm'; readonly preset: string | null }
  /** Continues a live chain; `block` is the base as it was chosen. */
  | { readonly kind: 'fork'; readonly endpoints: readonly string[]; readonly block: string };

/** How a chain takes part in the network of its chain. */
export type ChainNetwork = {
  /** Whether its node connects with others when it starts; no longer once it was told to leave. */
  readonly isOn: boolean;
  /** Addresses of nodes to dial: multiaddrs that end in a peer id. */
  readonly bootNodes: readonly string[];
  /** Whether it connects with nodes of the same chain in other tabs of this browser. */
  readonly tabs: boolean;
};

/** One chain of this browser, with its display name and the id of its database. */
export type ChainEntry = {
  /** Name of the database, also used in the URL; never changes. */
  readonly id: string;
  readonly name: string;
  readonly origin: ChainOrigin;
  readonly createdMs: number;
  /** The import of its blocks has not ended. */
  readonly isPartial?: boolean;
  /** It was created without the key of an authority, to look at. */
  readonly isLookOnly?: boolean;
  /** Of a chain that was created to join a network. */
  readonly network?: ChainNetwork;
  /** It is being deleted: no tab opens it any more. */
  readonly isDeleted?: boolean;
};

/** Stored for entries whose origin is a spec or a runtime. */
export type ChainPayload =
  /** `keys`: secret URIs of the authorities that the node is, if not Alice by default. */
  { readonly specJson: string; readonly keys?: readonly string[] } | { readonly wasm: Uint8Array };

/** The source from which the library starts the chain; null if its payload is gone. */
export const toChainSource = (origin: ChainOrigin, payload: ChainPayload | null): ChainSource | null => {
  if (origin.kind === 'preset') return origin.preset;
  if (origin.kind === 'fork') return { fork: { endpoints: origin.endpoints, block: origin.block } };
  if (origin.kind === 'spec' && payload !== null && 'specJson' in payload)
    return { specJson: payload.specJson };
  if (origin.kind === 'wasm' && payload !== null && 'wasm' in payload)
    return origin.preset === null ? payload : { ...payload, preset: origin.preset };
  return null;
};

/** The chain created for a new visitor. */
export const firstChain: ChainEntry = {
  id: 'development',
  name: 'Development',
  origin: { kind: 'preset', preset: 'development' },
  // The same in every tab: only a list that was changed is stored.
  createdMs: 0,
};

/** Derives an id from a name: its words, with a number appended if the id is taken. */
export const chainId = (name: string, taken: readonly string[]): string => {
  const words =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 32) || 'chain';
  let id = words;
  for (let number = 2; taken.includes(id); number += 1) id = `${words}-${number}`;
  return id;
};

const isSameName = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase();

/** Control characters, and those that turn the direction of the text around a name. */
const unprintable = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** In characters. */
export const longestName = 60;

/** What cannot be printed is left out; a longer name ends with an ellipsis. `longest` is a number of characters. */
export const cleanName = (name: string, longest = longestName): string => {
  const letters = [...name.replace(unprintable, '').trim()];
  return letters.length <= longest
    ? letters.join('')
    : `${letters
        .slice(0, longest - 1)
        .join('')
        .trimEnd()}…`;
};

/** The name, with a number appended if it is taken, so that chains and accounts can be told apart. */
export const freeName = (name: string, taken: readonly string[], fallback = 'Chain'): string => {
  const words = cleanName(name) || fallback;
  let free = words;
  for (let number = 2; taken.some((one) => isSameName(one, free)); number += 1) free = `${words} ${number}`;
  return free;
};

/** The entry with this name, or one like it that no other entry of the list has. */
export const named = (entry: ChainEntry, name: string, all: readonly ChainEntry[]): ChainEntry => {
  const others = all.filter(({ id, isDeleted }) => id !== entry.id && !isDeleted);
  return {
    ...entry,
    name: freeName(
      name,
      others.map((one) => one.name),
    ),
  };
};

/** A display name for a chain of which only the id is left. */
export const nameOfId = (id: string): string => {
  const words = id.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const isPreset = isShape({ kind: isOneOf('preset'), preset: isOneOf('development', 'local_testnet') });
const isSpec = isShape({ kind: isOneOf('spec') });
const isWasm = isShape({ kind: isOneOf('wasm'), preset: orNull(isText) });
const isFork = isShape({
  kind: isOneOf('fork'),
  endpoints: (value): value is readonly string[] => Array.isArray(value) && value.every(isText),
  block: isText,
});

const isNetwork = isShape<ChainNetwork>({ isOn: isBoolean, bootNodes: isListOf(isText), tabs: isBoolean });

export const isEntry = isShape<ChainEntry>({
  id: (value): value is string => isText(value) && value !== '',
  name: isText,
  origin: (value): value is ChainOrigin => isPreset(value) || isSpec(value) || isWasm(value) || isFork(value),
  network: (value): value is ChainNetwork => value === undefined || isNetwork(value),
});
