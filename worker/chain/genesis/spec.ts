import type { BlockHash } from '../../codec/identity.ts';
import { type ChainRules, noRules } from './spec-rules.ts';

export type Pairs = readonly (readonly [key: Uint8Array, value: Uint8Array])[];

export type RawState = {
  readonly kind: 'raw';
  readonly top: Pairs;
  readonly children: readonly (readonly [name: Uint8Array, Pairs])[];
};

/** The source of the genesis state. */
export type GenesisSource =
  | RawState
  | {
      readonly kind: 'runtime';
      readonly code: Uint8Array;
      /** A preset of the runtime's GenesisBuilder. */
      readonly preset: string | null;
      /** JSON merged over the runtime's default and the preset. */
      readonly patch: string | null;
      /** A complete configuration as JSON, used unchanged. */
      readonly config: string | null;
    }
  /** Of a raw specification that was not read, because the database knows it, or whose state was stored. */
  | { readonly kind: 'unread'; readonly load: () => Promise<RawState> }
  /** Of a fork: that of the live chain, which is not known here. */
  | { readonly kind: 'live' };

/** A chain specification in the SDK's format. `properties` and `chainType` are kept unchanged. */
export type ChainSpec = {
  readonly name: string;
  readonly id: string;
  readonly chainType: unknown;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly bootNodes: readonly string[];
  readonly genesis: GenesisSource;
  readonly rules: ChainRules;
  /** Fields without effect, by their paths: no node of the SDK knows them. */
  readonly unknown: readonly string[];
  /** The other fields, unchanged. */
  readonly rest: Readonly<Record<string, unknown>>;
};

/** The text of a specification. */
export type GivenSpec = {
  /** Changes with the file; null if it has none, or the file is too young for that. */
  readonly stamp: string | null;
  /** In UTF-8. */
  read(): Promise<Uint8Array>;
};

export type Sourced = {
  readonly spec: ChainSpec;
  readonly identity: Uint8Array;
  /** The genesis that a database remembers of this specification. */
  readonly genesis?: BlockHash;
  /** What a database with this genesis may remember of the specification. Null: it does already. */
  readonly remember?: (genesis: BlockHash) => Uint8Array | null;
  /** Frees the state that was read. */
  readonly release?: () => void;
};

/** The parts of a specification that one made here has no use for. */
export const plainSpec = { bootNodes: [], rules: noRules, unknown: [], rest: {} } as const;

/** A source with its content. */
export type ReadGenesis = Exclude<GenesisSource, { readonly kind: 'unread' }>;

/** Throws `BadSpec` if the state cannot be read, or is not what it was. */
export const loadGenesis = async (source: GenesisSource): Promise<ReadGenesis> =>
  source.kind === 'unread' ? source.load() : source;

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON text that preserves its numbers: balances exceed 2^53. */
export const exactJson = {
  parse: (text: string): unknown =>
    JSON.parse(text, ((_key: string, value: unknown, context?: { source?: string }) => {
      const raw = (JSON as unknown as { rawJSON?: (source: string) => unknown }).rawJSON;
      if (
        typeof value !== 'number' ||
        Number.isSafeInteger(value) ||
        context?.source === undefined ||
        raw === undefined
      )
        return value;
      return raw(context.source);
    }) as (key: string, value: unknown) => unknown),
  stringify: (value: unknown): string => JSON.stringify(value),
};

const isRawNumber = (value: unknown): boolean => {
  const test = (JSON as unknown as { isRawJSON?: (value: unknown) => boolean }).isRawJSON;
  return test?.(value) ?? false;
};

/** RFC 7396 merge, as sc-chain-spec's `json_merge`: objects merge, null removes, everything else replaces. */
export const mergeJson = (base: unknown, patch: unknown): unknown => {
  if (!isRecord(patch) || isRawNumber(patch)) return patch;
  const out: Record<string, unknown> = isRecord(base) && !isRawNumber(base) ? { ...base } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete out[key];
    else out[key] = mergeJson(out[key], value);
  }
  return out;
};
