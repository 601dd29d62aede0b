import { NodeError } from '../../../src/index.ts';
import { openRemote, type RemoteNode } from '../../../src/remote.ts';
import { readAddress } from '../../../src/remote-socket.ts';

/** What the nodes say of their chain. */
export type LiveChain = Pick<RemoteNode['info'], 'chainName' | 'genesisHash'>;

/** A fork has this many endpoints at most (worker/origin). */
const maxEndpoints = 16;

/** The addresses in a text, which are separated by spaces or commas, in full. Throws `BadConfig`. */
export const readEndpoints = (text: string): readonly string[] => {
  const typed = text.split(/[\s,]+/).filter((one) => one !== '');
  if (typed.length === 0)
    throw new NodeError('BadConfig', 'Enter the WebSocket address of a node, such as wss://rpc.polkadot.io.');
  if (typed.length > maxEndpoints)
    throw new NodeError('BadConfig', `Enter at most ${maxEndpoints} addresses, not ${typed.length}.`);
  return [...new Set(typed.map((one) => readAddress(one).href))];
};

/** Throws `BadConfig` if the text names no block. Nothing means the last finalized block. */
export const readBlock = (text: string): string => {
  const typed = text.trim().replace(/^#/, '').toLowerCase();
  if (typed === '') return 'finalized';
  if (/^(finalized|best|\d{1,15}|0x[0-9a-f]{64})$/.test(typed)) return typed;
  throw new NodeError('BadConfig', 'Enter the number or hash of a block, “finalized” or “best”.');
};

const ask = async (address: string): Promise<LiveChain> => {
  const { connection, info, methods } = await openRemote(address);
  connection.close();
  if (methods?.has('state_getReadProof') === false)
    throw new NodeError(
      'EndpointUnfit',
      `${address} cannot be forked: it does not offer state_getReadProof, which proves the state.`,
    );
  return info;
};

const isRefusedByPolicy = (fault: unknown): boolean =>
  fault instanceof NodeError && fault.details['isPolicy'] === true;

/**
 * Whether the page may reach the nodes, and whether they are nodes of one chain that can be forked. Rejects with what is wrong
 * with the first one if none can be used, and `isPolicy` in the details if the page's policy refuses one.
 */
export const checkEndpoints = async (
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<LiveChain> => {
  const asked = await Promise.allSettled(addresses.map(ask));
  signal.throwIfAborted();
  const faults = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  const refusal = faults.find(isRefusedByPolicy);
  if (refusal !== undefined) throw refusal;
  const fit = asked.flatMap((one, index) =>
    one.status === 'fulfilled' ? [{ ...one.value, address: addresses[index] }] : [],
  );
  const [first] = fit;
  if (first === undefined) throw faults[0];
  const other = fit.find(({ genesisHash }) => genesisHash !== first.genesisHash);
  if (other !== undefined)
    throw new NodeError(
      'BadConfig',
      `The endpoints are of different chains: ${first.address} is of ${first.chainName}, ${other.address} of ${other.chainName}.`,
    );
  return first;
};
