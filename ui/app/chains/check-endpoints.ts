import { NodeError } from '../../../src/index.ts';
import type { LiveChain as NamedChain } from '../../../src/live-chains.ts';
import { openRemote, type RemoteNode } from '../../../src/remote.ts';
import { readAddress } from '../../../src/remote-socket.ts';
import { toNodeError } from '../../kit/text/format.ts';

/** What the nodes say of their chain. */
export type LiveChain = Pick<RemoteNode['info'], 'chainName' | 'genesisHash'>;

/** A fork has this many endpoints at most (worker/origin). */
const maxEndpoints = 16;

/** The chain that was named, null for any, and the addresses of nodes that must be of it. */
export type Target = { readonly chain: NamedChain | null; readonly addresses: readonly string[] };

/** The name of a chain, or of none: a host without a dot is written with its scheme, but for this machine. */
const isName = (word: string): boolean => /^[a-z]+(-[a-z]+)*$/i.test(word) && word !== 'localhost';

const wordsOf = (text: string): readonly string[] => text.split(/[\s,]+/).filter((one) => one !== '');

const readAddresses = (typed: readonly string[]): readonly string[] => {
  if (typed.length === 0)
    throw new NodeError(
      'BadConfig',
      'Enter the name of a public chain, such as polkadot, or the WebSocket address of a node, such as wss://rpc.polkadot.io.',
    );
  if (typed.length > maxEndpoints)
    throw new NodeError('BadConfig', `Enter at most ${maxEndpoints} addresses, not ${typed.length}.`);
  return [...new Set(typed.map((one) => readAddress(one).href))];
};

/**
 * The chain and the addresses in a text, which are separated by spaces or commas. A name stands for the chain's public nodes
 * if there is no address. The table of names is loaded only if something may be one. Throws `BadConfig`.
 */
export const readEndpoints = (text: string): Target | Promise<Target> => {
  const words = wordsOf(text);
  if (!words.some(isName)) return { chain: null, addresses: readAddresses(words) };
  return import('../../../src/live-chains.ts').then(({ findLiveChain }) => {
    const isChain = (word: string): boolean => findLiveChain(word.toLowerCase()) !== null;
    const [name, other] = words.filter(isChain);
    if (other !== undefined) throw new NodeError('BadConfig', `Enter one chain, not ${name} and ${other}.`);
    const addresses = words.filter((word) => !isChain(word));
    const unknown = addresses.find(isName);
    if (unknown !== undefined)
      throw new NodeError(
        'BadConfig',
        `No public chain is known as “${unknown}”. Choose one of the list, or write the address of a node, such as wss://rpc.polkadot.io.`,
      );
    const chain = name === undefined ? null : findLiveChain(name.toLowerCase());
    return { chain, addresses: readAddresses(addresses.length === 0 && chain ? chain.endpoints : addresses) };
  });
};

/** Throws `BadConfig` if the text names no block. Nothing means the last finalized block. */
export const readBlock = (text: string): string => {
  const typed = text.trim().replace(/^#/, '').toLowerCase();
  if (typed === '') return 'finalized';
  if (/^(finalized|best|\d{1,15}|0x[0-9a-f]{64})$/.test(typed)) return typed;
  throw new NodeError('BadConfig', 'Enter the number or hash of a block, “finalized” or “best”.');
};

const ask = async (address: string, chain: NamedChain | null): Promise<LiveChain> => {
  const { connection, info, methods } = await openRemote(address);
  connection.close();
  if (methods?.has('state_getReadProof') === false)
    throw new NodeError(
      'EndpointUnfit',
      `${address} cannot be forked: it does not offer state_getReadProof, which proves the state.`,
    );
  if (chain !== null && info.genesisHash !== chain.genesisHash)
    throw new NodeError(
      'EndpointUnfit',
      `${address} is not of ${chain.title}: its genesis is ${info.genesisHash}, not ${chain.genesisHash}.`,
    );
  return info;
};

/** A node that says nothing does not keep the form waiting. */
const unlessAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(new NodeError('Aborted'));
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
};

const isRefusedByPolicy = (fault: unknown): boolean =>
  fault instanceof NodeError && fault.details['isPolicy'] === true;

/** What is wrong if no node can be used. Whoever typed the name of a chain knows none of the addresses. */
const noneFit = (chain: NamedChain | null, faults: readonly unknown[]): unknown => {
  const areUnreachable =
    chain !== null && faults.length > 1 && faults.every((one) => toNodeError(one).code === 'Disconnected');
  if (!areUnreachable) return faults[0];
  return new NodeError(
    'EndpointFailed',
    `None of the ${faults.length} nodes of ${chain.title} can be reached. Check the network connection, or enter the address of another node.`,
  );
};

/**
 * Whether the page may reach the nodes, and whether they are nodes of one chain that can be forked. Rejects with what is wrong
 * with the first one if none can be used, and `isPolicy` in the details if the page's policy refuses one.
 */
export const checkEndpoints = async (
  { chain, addresses }: Target,
  signal: AbortSignal,
): Promise<LiveChain> => {
  const asked = await unlessAborted(
    Promise.allSettled(addresses.map((address) => ask(address, chain))),
    signal,
  );
  const faults = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  const refusal = faults.find(isRefusedByPolicy);
  if (refusal !== undefined) throw refusal;
  const fit = asked.flatMap((one, index) =>
    one.status === 'fulfilled' ? [{ ...one.value, address: addresses[index] }] : [],
  );
  const [first] = fit;
  if (first === undefined) throw noneFit(chain, faults);
  const other = fit.find(({ genesisHash }) => genesisHash !== first.genesisHash);
  if (other !== undefined)
    throw new NodeError(
      'BadConfig',
      `The endpoints are of different chains: ${first.address} is of ${first.chainName}, ${other.address} of ${other.chainName}.`,
    );
  return first;
};
