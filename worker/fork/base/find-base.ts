import { quoteName } from '../../../src/protocol/chain-id.ts';
import { nameEndpoint } from '../../../src/protocol/endpoint-name.ts';
import { NodeError } from '../../../src/protocol/errors.ts';
import type { ForkSource } from '../../../src/protocol/fork-source.ts';
import { equalBytes } from '../../bytes/bytes.ts';
import type { Origin, OriginFacts } from '../../chain/origin.ts';
import type { Block } from '../../codec/block.ts';
import { decodeHeader, type Header } from '../../codec/header.ts';
import { type BlockHash, blockHashToBytes, bytesToBlockHash } from '../../codec/identity.ts';
import type { ForkRecord } from '../record.ts';
import type { KnownChains } from '../shared/known-chains.ts';

/** The block that a fork begins at, and what it is a fork of. */
export type Base = { readonly record: ForkRecord; readonly base: Block };

const hashText = /^0x[0-9a-f]{64}$/i;

const chosenAs = (block: string): ForkRecord['chosenAs'] =>
  block === 'finalized' || block === 'best' ? block : block.startsWith('0x') ? 'hash' : 'number';

const toBase = (facts: OriginFacts, hash: BlockHash, base: Block, chosen: string): Base => ({
  record: {
    genesisHash: bytesToBlockHash(facts.genesisHash),
    base: { hash, number: base.header.number },
    chosenAs: chosenAs(chosen),
    name: facts.name,
    chainType: facts.chainType,
    properties: facts.properties,
  },
  base,
});

/**
 * What is built on a branch that finality has abandoned would be the fork of a chain that nobody has. That it is abandoned is
 * the endpoint's claim. Throws `UnknownBlock`.
 */
const checkNotAbandoned = async (origin: Origin, hash: BlockHash, { number }: Header): Promise<void> => {
  const at = await origin.hashAt(number);
  if (at === null || equalBytes(at, blockHashToBytes(hash))) return;
  const finalized = await origin.header(await origin.latest('finalized'));
  if (finalized === null || decodeHeader(finalized).number < number) return;
  throw new NodeError(
    'UnknownBlock',
    `Block ${hash} is on an abandoned fork: the chain's block #${number} is ${bytesToBlockHash(at)}`,
  );
};

/** The block that was chosen. One that was read before as a block of this chain is not read again. */
const readChosen = async (
  origin: Origin,
  chains: KnownChains,
  chosen: string,
  facts: Promise<OriginFacts>,
): Promise<{ readonly hash: BlockHash; readonly block: Block }> => {
  const isHead = chosen === 'best' || chosen === 'finalized';
  const hash = hashText.test(chosen) ? blockHashToBytes(chosen.toLowerCase() as BlockHash) : null;
  let isKnown = false;
  const found = await origin.block(isHead ? chosen : (hash ?? Number(chosen)), async (named) => {
    const known = await chains.block(bytesToBlockHash(named));
    if (known === null) return null;
    const chain = await facts.catch(() => null);
    isKnown = chain !== null && equalBytes(known.genesisHash, chain.genesisHash);
    return isKnown ? known.block : null;
  });
  if (found !== null) {
    const of = { hash: bytesToBlockHash(found.hash), block: found.block };
    if (hash !== null && !isKnown) await checkNotAbandoned(origin, of.hash, of.block.header);
    return of;
  }
  throw new NodeError(
    'UnknownBlock',
    hash === null ? `The chain has no block #${chosen} yet` : `No endpoint knows the block ${chosen}`,
  );
};

/** The names under which a choice is remembered: providers may be of another chain the next time. */
const urlsOf = (endpoints: ForkSource['endpoints']): string[] =>
  endpoints.filter((one) => typeof one === 'string');

/**
 * Asks the live chain what it is, and for the block to begin at, and remembers both. Throws `UnknownBlock` and the errors
 * of endpoints.
 */
export const askForBase = async (
  origin: Origin,
  chains: KnownChains,
  endpoints: ForkSource['endpoints'],
  chosen: string,
): Promise<Base> => {
  const reading = origin.facts(chains.facts);
  const [facts, { hash, block }] = await Promise.all([reading, readChosen(origin, chains, chosen, reading)]);
  chains.addFacts(facts);
  chains.addBlock(hash, { block, genesisHash: facts.genesisHash });
  for (const url of urlsOf(endpoints)) chains.addChosen(url, chosen, hash);
  return toBase(facts, hash, block, chosen);
};

const recallHash = async (
  chains: KnownChains,
  endpoints: ForkSource['endpoints'],
  chosen: string,
): Promise<BlockHash> => {
  if (hashText.test(chosen)) return chosen.toLowerCase() as BlockHash;
  const urls = urlsOf(endpoints);
  if (urls.length === 0)
    throw new NodeError(
      'BadConfig',
      'A new fork without the network needs the hash of its block, or the URL it was read from, or a pack',
    );
  for (const url of urls) {
    const hash = await chains.chosen(url, chosen);
    if (hash !== null) return hash;
  }
  const what = /^\d+$/.test(chosen) ? `Block #${chosen}` : `The ${chosen} block`;
  throw new NodeError(
    'NotCached',
    `${what} of ${urls.map(nameEndpoint).join(', ')} was never read here, and the network is forbidden`,
  );
};

/** The same from what was read before, without the network. Throws `NotCached`, `BadConfig`. */
export const recallBase = async (
  chains: KnownChains,
  endpoints: ForkSource['endpoints'],
  chosen: string,
): Promise<Base> => {
  const hash = await recallHash(chains, endpoints, chosen);
  const known = await chains.block(hash);
  if (known === null)
    throw new NodeError('NotCached', `Block ${hash} was never read here, and the network is forbidden`);
  const facts = await chains.facts(known.genesisHash);
  if (facts === null)
    throw new NodeError(
      'NotCached',
      `The name of the chain of block ${hash} was never read here, and the network is forbidden`,
    );
  return toBase(facts, hash, known.block, chosen);
};

/** What was found without asking the live chain may be of another one. Throws `BadSpec`. */
export const checkChain = ({ genesisHash, name }: ForkRecord, expected: ForkSource['expected']): void => {
  if (expected === undefined || expected.genesisHash === genesisHash) return;
  const what = `a fork of ${quoteName(name)}, whose genesis is ${genesisHash}`;
  throw new NodeError(
    'BadSpec',
    `This is ${what}, not a fork of ${expected.title}, whose genesis is ${expected.genesisHash}`,
  );
};

/** A stored fork stays at its base. Throws `BadSpec`. */
export const checkBase = ({ base, name }: ForkRecord, block: string | undefined): void => {
  const isOther =
    block !== undefined &&
    block !== 'best' &&
    block !== 'finalized' &&
    block.toLowerCase() !== base.hash &&
    block !== `${base.number}`;
  if (isOther)
    throw new NodeError(
      'BadSpec',
      `The storage holds a fork of ${quoteName(name)} at block #${base.number}, ${base.hash}, not at ${block}`,
    );
};
