import type { ChainSource } from '../../src/index.ts';

/** What a chain of this browser was made from; specifications and runtimes lie in the payload store under the chain's id. */
export type ChainOrigin =
  | { readonly kind: 'preset'; readonly preset: 'development' | 'local_testnet' }
  | { readonly kind: 'spec' }
  | { readonly kind: 'wasm'; readonly preset: string | null };

/** One chain of this browser: a name for people and a database of its own. */
export type ChainEntry = {
  /** Names the database and stands in the address; never changes. */
  readonly id: string;
  readonly name: string;
  readonly origin: ChainOrigin;
  readonly createdMs: number;
};

/** What is kept beside an entry whose origin is no preset. */
export type ChainPayload = { readonly specJson: string } | { readonly wasm: Uint8Array };

/** The chain as the library starts it; null when its payload is gone. */
export const toChainSource = (origin: ChainOrigin, payload: ChainPayload | null): ChainSource | null => {
  if (origin.kind === 'preset') return origin.preset;
  if (origin.kind === 'spec' && payload !== null && 'specJson' in payload) return payload;
  if (origin.kind === 'wasm' && payload !== null && 'wasm' in payload)
    return origin.preset === null ? payload : { ...payload, preset: origin.preset };
  return null;
};

/** The chain that a new visitor finds. */
export const firstChain = (nowMs: number): ChainEntry => ({
  id: 'development',
  name: 'Development',
  origin: { kind: 'preset', preset: 'development' },
  createdMs: nowMs,
});

/** An id for a name: its words, with a number when they are taken. */
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

/** The name, with a number where another chain has it: two chains of one name could not be told apart. */
export const freeName = (name: string, taken: readonly string[]): string => {
  const words = name.trim() || 'Chain';
  let free = words;
  for (let number = 2; taken.some((one) => isSameName(one, free)); number += 1) free = `${words} ${number}`;
  return free;
};

/** A name for a chain of which only the id is left. */
export const nameOfId = (id: string): string => {
  const words = id.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const isOrigin = (value: unknown): value is ChainOrigin => {
  const { kind, preset } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (kind === 'preset') return preset === 'development' || preset === 'local_testnet';
  return kind === 'spec' || (kind === 'wasm' && (preset === null || typeof preset === 'string'));
};

export const isEntry = (value: unknown): value is ChainEntry => {
  const { id, name, origin } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return typeof id === 'string' && id !== '' && typeof name === 'string' && isOrigin(origin);
};
