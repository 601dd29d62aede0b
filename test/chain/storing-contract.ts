import type { ApiPromise } from '@polkadot/api';
import type { SubmittableExtrinsic } from '@polkadot/api/types';
import { textToBytes } from '../../worker/bytes/bytes.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import type { Node } from '../../worker/node.ts';
import { connectRpc } from '../rigs/rpc.ts';

/**
 * A contract that stores its input in its own storage, at deployment and at each call: `input(4, 0)`, then
 * `set_storage(4, len, 4, len)`, with the length at address 0.
 */
const code =
  '0x0061736d0100000001110360027f7f0060047f7f7f7f017f600000023203057365616c3005696e7075740000057365616c320b7365745f73746f72616765000103656e76066d656d6f727902010101030403020202071102066465706c6f7900030463616c6c00040a2d032100410041c000360200410441001000410441002802004104410028020010011a0b040010020b040010020b';

const limit = { refTime: 5_000_000_000n, proofSize: 500_000n };

type Call = SubmittableExtrinsic<'promise'>;
type Make = (...args: unknown[]) => Call;

/** Calls to that contract, whose child trie contains the stored values. `find` returns the first contract. */
export const storingContract = (api: ApiPromise) => {
  const tx = api.tx as unknown as { contracts: Record<'instantiateWithCode' | 'call', Make> };
  const { instantiateWithCode, call } = tx.contracts;
  return {
    /** Two contracts of one account differ in their salts. */
    instantiate: (salt = '0x'): Call => instantiateWithCode(0, limit, null, code, '0x6b6579', salt),
    find: async (): Promise<string> => {
      const entries = (await api.query['contracts']?.['contractInfoOf']?.entries()) ?? [];
      const [found] = entries;
      if (found === undefined) throw new Error('there is no contract');
      return String(found[0].args[0]);
    },
    store: (contract: string, input: string): Call => call(contract, 0, limit, null, input),
  };
};

/** The roots of the child tries in the best state, by their keys. */
export const readChildRoots = async (node: Node): Promise<(readonly [key: string, root: string])[]> => {
  const { call } = connectRpc(node);
  const prefix = bytesToHex(textToBytes(':child_storage:default:'));
  const keys = await call<string[]>('state_getKeysPaged', prefix, 100);
  return Promise.all(keys.map(async (key) => [key, await call<string>('state_getStorage', key)] as const));
};
