import { type BoundedMap, createBoundedMap } from '../bytes/bounded-map.ts';
import { bytesToKey } from '../bytes/bytes.ts';
import { bytesToHex } from '../bytes/hex.ts';
import { isBodyOf } from '../chain/hashes.ts';
import type { Head, Origin, OriginFacts } from '../chain/origin.ts';
import { readName, readProperties } from '../chain/origin-facts.ts';
import type { Block } from '../codec/block.ts';
import { decodeHeader, type Header } from '../codec/header.ts';
import type { Hash256 } from '../trie/node-source.ts';
import { readBlock, readHash, readHeader } from './answers.ts';
import type { Asked, Job } from './ask.ts';
import { checkHeader } from './checks.ts';
import type { Endpoint } from './endpoint.ts';
import { bad, good, type Outcome } from './problem.ts';
import { refuse, type Subject } from './refusal.ts';

export type BlocksDeps = {
  readonly blake2b256: Hash256;
  ask<T>(job: Job<T>): Promise<Asked<T>>;
};

export type Located = { readonly hash: Uint8Array; readonly header: Header };

export type Blocks = {
  facts: Origin['facts'];
  hashAt(number: number): Promise<Uint8Array | null>;
  latest(which: Head): Promise<Located>;
  block: Origin['block'];
  header(hash: Uint8Array): Promise<Uint8Array | null>;
  /** The decoded header; null: unknown block. `subject`: what is read of the block, as an error names it. */
  locate(hash: Uint8Array, subject?: Subject): Promise<Located | null>;
  body(hash: Uint8Array): Promise<readonly Uint8Array[] | null>;
  /** Verifies and keeps the header of an endpoint's notification, if it has one. */
  keepHeader(value: unknown): Located | null;
};

/** Headers that are kept: a header of a relay chain has up to 1 kB. */
const maxHeaders = 1024;

type Deps = BlocksDeps & { readonly headers: BoundedMap<string, Uint8Array> };

/** A header by its hash, from one endpoint. */
const headerFrom = async (
  { blake2b256, headers }: Deps,
  endpoint: Endpoint,
  hash: Uint8Array,
  signal: AbortSignal,
): Promise<Outcome<Uint8Array>> => {
  const kept = headers.get(bytesToKey(hash));
  if (kept !== undefined) return good(kept);
  const answer = await endpoint.call('chain_getHeader', [bytesToHex(hash)], signal);
  if (!answer.ok) return answer;
  const read = readHeader(answer.value);
  if (!read.ok) return read;
  if (read.value === null) return bad('unknown', 'does not know the block');
  const checked = checkHeader(blake2b256, hash, read.value);
  if (!checked.ok) return checked;
  headers.keep(bytesToKey(hash), read.value);
  return good(read.value);
};

/** The method by which an endpoint names a block, with its parameters. */
const namingOf = (which: Head | number): readonly [method: string, params: readonly unknown[]] => {
  if (typeof which === 'number') return ['chain_getBlockHash', [which]];
  return [which === 'best' ? 'chain_getBlockHash' : 'chain_getFinalizedHead', []];
};

/** The hash that an endpoint names. */
const nameFrom = async (
  endpoint: Endpoint,
  which: Head | number,
  signal: AbortSignal,
): Promise<Outcome<Uint8Array>> => {
  const confirmed = await endpoint.confirmChain(signal);
  if (!confirmed.ok) return confirmed;
  const answer = await endpoint.call(...namingOf(which), signal);
  if (!answer.ok) return answer;
  const read = readHash(answer.value);
  if (!read.ok) return read;
  return read.value === null ? bad('unknown', 'has no such block') : good(read.value);
};

/** A block that an endpoint names: it must know it, and it must have the number that was asked for. */
const namedBy = async <T extends { readonly header: Header }>(
  endpoint: Endpoint,
  which: Head | number,
  signal: AbortSignal,
  read: (hash: Uint8Array) => Promise<Outcome<T>>,
): Promise<Outcome<{ readonly hash: Uint8Array; readonly block: T }>> => {
  const hash = await nameFrom(endpoint, which, signal);
  if (!hash.ok) return hash;
  const block = await read(hash.value);
  if (!block.ok)
    return block.problem.kind === 'unknown' ? bad('failed', 'does not know the block it names') : block;
  const { number } = block.value.header;
  if (typeof which === 'number' && number !== which)
    return bad('lied', `named block ${number} when asked for block ${which}`);
  return good({ hash: hash.value, block: block.value });
};

const blockFrom = async (
  { blake2b256, headers }: Deps,
  endpoint: Endpoint,
  hash: Uint8Array,
  signal: AbortSignal,
): Promise<Outcome<Block>> => {
  const answer = await endpoint.call('chain_getBlock', [bytesToHex(hash)], signal);
  if (!answer.ok) return answer;
  const read = readBlock(answer.value);
  if (!read.ok) return read;
  if (read.value === null) return bad('unknown', 'does not know the block');
  const { header: encoded, extrinsics } = read.value;
  const checked = checkHeader(blake2b256, hash, encoded);
  if (!checked.ok) return checked;
  headers.keep(bytesToKey(hash), encoded);
  return isBodyOf(blake2b256, checked.value, extrinsics)
    ? good({ header: checked.value, extrinsics })
    : bad('lied', 'sent extrinsics that are not those of the header');
};

/** The value of a job. Null: some endpoints do not know the block, and no endpoint knows it. */
const valueOrNull = <T>(asked: Asked<T>, subject: Subject): T | null => {
  if (asked.ok) return asked.value;
  if (asked.problems.some(({ problem }) => problem.kind === 'unknown')) return null;
  throw refuse(subject, asked.problems);
};

const notFirst = bad('lied', 'named a genesis block that is none');

const factsFrom = async (
  deps: Deps,
  endpoint: Endpoint,
  genesis: Uint8Array,
  signal: AbortSignal,
): Promise<Outcome<OriginFacts>> => {
  const encoded = await headerFrom(deps, endpoint, genesis, signal);
  if (!encoded.ok) return encoded.problem.kind === 'unknown' ? notFirst : encoded;
  if (decodeHeader(encoded.value).number !== 0) return notFirst;
  const [chain, type, properties] = await Promise.all(
    ['system_chain', 'system_chainType', 'system_properties'].map((method) =>
      endpoint.call(method, [], signal),
    ) as [Promise<Outcome<unknown>>, Promise<Outcome<unknown>>, Promise<Outcome<unknown>>],
  );
  if (!chain.ok) return chain;
  const name = readName(chain.value);
  if (name === null) return bad('failed', 'does not name its chain');
  return good({
    genesisHash: genesis,
    name,
    id: null,
    chainType: type.ok ? readName(type.value) : null,
    properties: properties.ok ? readProperties(properties.value) : {},
  });
};

/** Blocks by hash and height, and what the chain is. */
export const createBlocks = (given: BlocksDeps, genesisHash: () => Uint8Array | null): Blocks => {
  const deps = { ...given, headers: createBoundedMap<string, Uint8Array>(maxHeaders) };
  const { ask, headers } = deps;
  const header = async (
    hash: Uint8Array,
    subject: Subject = { what: 'The header', block: hash },
  ): Promise<Uint8Array | null> => {
    const kept = headers.get(bytesToKey(hash));
    if (kept !== undefined) return kept;
    const asked = await ask({ run: (endpoint, signal) => headerFrom(deps, endpoint, hash, signal) });
    return valueOrNull(asked, subject);
  };
  const named = (which: Head | number) => (endpoint: Endpoint, signal: AbortSignal) =>
    namedBy(endpoint, which, signal, async (hash) => {
      const encoded = await headerFrom(deps, endpoint, hash, signal);
      return encoded.ok ? good({ header: decodeHeader(encoded.value) }) : encoded;
    });
  return {
    header: (hash) => header(hash),
    facts: async (known) => {
      const asked = await ask({
        run: async (endpoint, signal) => {
          const confirmed = await endpoint.confirmChain(signal);
          if (!confirmed.ok) return confirmed;
          const genesis = genesisHash() as Uint8Array;
          const facts = (await known?.(genesis)) ?? null;
          return facts === null ? factsFrom(deps, endpoint, genesis, signal) : good(facts);
        },
      });
      if (!asked.ok) throw refuse({ what: 'The live chain' }, asked.problems);
      return asked.value;
    },
    hashAt: async (number) => {
      const asked = await ask({ run: named(number) });
      return valueOrNull(asked, { what: `The hash of block ${number}` })?.hash ?? null;
    },
    latest: async (which) => {
      const asked = await ask({ run: named(which) });
      if (!asked.ok) throw refuse({ what: `The latest ${which} block` }, asked.problems);
      const { hash, block } = asked.value;
      return { hash, header: block.header };
    },
    block: async (which, known) => {
      const asked = await ask({
        run: async (endpoint, signal) => {
          const read = async (hash: Uint8Array): Promise<Outcome<Block>> => {
            const stored = await known(hash);
            return stored === null ? blockFrom(deps, endpoint, hash, signal) : good(stored);
          };
          if (!(which instanceof Uint8Array)) return namedBy(endpoint, which, signal, read);
          const block = await read(which);
          return block.ok ? good({ hash: which, block: block.value }) : block;
        },
      });
      if (which instanceof Uint8Array) return valueOrNull(asked, { what: 'The block', block: which });
      if (typeof which === 'number') return valueOrNull(asked, { what: `Block ${which}` });
      if (!asked.ok) throw refuse({ what: `The latest ${which} block` }, asked.problems);
      return asked.value;
    },
    locate: async (hash, subject) => {
      const encoded = await header(hash, subject);
      return encoded === null ? null : { hash, header: decodeHeader(encoded) };
    },
    body: async (hash) => {
      const asked = await ask({ run: (endpoint, signal) => blockFrom(deps, endpoint, hash, signal) });
      return valueOrNull(asked, { what: 'The body', block: hash })?.extrinsics ?? null;
    },
    keepHeader: (value) => {
      const read = readHeader(value);
      if (!read.ok || read.value === null) return null;
      const hash = deps.blake2b256(read.value);
      headers.keep(bytesToKey(hash), read.value);
      return { hash, header: decodeHeader(read.value) };
    },
  };
};
