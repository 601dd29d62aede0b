import { quoteName } from '../../src/protocol/chain-id.ts';
import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToHex } from '../bytes/hex.ts';
import type { Origin } from '../chain/origin.ts';
import type { NodeOrigin } from '../chain/states/node-origin.ts';
import type { BlocksBelow } from '../chain/view.ts';
import { decodeHeader } from '../codec/header.ts';
import { blockHashToBytes, bytesToBlockHash } from '../codec/identity.ts';
import type { ForkRecord } from './record.ts';

/** Why nothing is read: the end of a sentence. */
export const noNetwork = (isOffline: boolean): string =>
  isOffline ? 'the network is forbidden' : 'no endpoint was named';

/** Of a fork that reads nothing more: names the key that was never read. */
export const proveNothing =
  (record: () => ForkRecord, why: string): NodeOrigin['prove'] =>
  async (missing) => {
    const { name, base } = record();
    const key = missing.find((node) => node.key !== null)?.key ?? null;
    const what = key === null ? 'a part' : `what lies at the key ${bytesToHex(key)}`;
    throw new NodeError(
      'NotCached',
      `Of the state of ${quoteName(name)} at block #${base.number}, ${what} was never read, and ${why}`,
    );
  };

/** The blocks below the base of a fork, from the live chain. */
export const createBelow = (origin: Origin | null, record: () => ForkRecord, why: string): BlocksBelow => {
  const need = (): Origin => {
    if (origin !== null) return origin;
    const { base, name } = record();
    throw new NodeError(
      'NotCached',
      `Blocks below #${base.number} of ${quoteName(name)} are read from an endpoint, and ${why}`,
    );
  };
  return {
    get base() {
      return record().base.number;
    },
    hashAt: async (number) => {
      const hash = await need().hashAt(number);
      return hash === null ? null : bytesToBlockHash(hash);
    },
    // Most unknown hashes are of blocks that exist nowhere.
    header: async (hash) => {
      const bytes = (await origin?.header(blockHashToBytes(hash))) ?? null;
      const header = bytes === null ? null : decodeHeader(bytes);
      return header !== null && header.number < record().base.number ? header : null;
    },
    body: (hash) => need().body(blockHashToBytes(hash)),
  };
};
