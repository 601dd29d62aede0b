import { quoteName } from '../../src/protocol/chain-id.ts';
import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToHex } from '../bytes/hex.ts';
import type { NodeOrigin } from '../chain/states/node-origin.ts';
import type { ForkRecord } from './record.ts';

/** Why nothing is read: the end of a sentence. */
export const noNetwork = (isOffline: boolean): string =>
  isOffline
    ? 'the network is forbidden: allow it once to read this'
    : 'no endpoint was named: name one to read this';

/** Of a fork that reads nothing more: names the key that was never read. */
export const proveNothing =
  (record: () => ForkRecord, why: string): NodeOrigin['prove'] =>
  async (missing) => {
    const { name, base } = record();
    const { key = null, at = null } = missing.find((node) => node.key !== null) ?? missing[0] ?? {};
    const what = key === null ? 'a part' : `what lies at the key ${bytesToHex(key)}`;
    const block = at === null ? `#${base.number}` : bytesToHex(at);
    throw new NodeError(
      'NotCached',
      `Of the state of ${quoteName(name)} at block ${block}, ${what} was never read, and ${why}`,
    );
  };
