import { bytesToKey } from '../../bytes/bytes.ts';
import type { RoundsOfSet } from '../../consensus/grandpa/voting.ts';
import { type AddressHash, ss58Encode } from '../../crypto/ss58.ts';
import { RpcError } from '../errors.ts';

type RoundReport = RoundsOfSet['best'];

/** Keys of authorities are shown in the generic address format, as in the SDK. */
const ss58Prefix = 42;
const maxU32 = 0xffff_ffffn;

const unreasonable = (): RpcError => new RpcError(3, 'GRANDPA reports voter state as unreasonably large');

const toNumber = (value: bigint, error: () => RpcError): number => {
  if (value > maxU32) throw error();
  return Number(value);
};

const compareBytes = (a: Uint8Array, b: Uint8Array): number => {
  const [left, right] = [bytesToKey(a), bytesToKey(b)];
  return left < right ? -1 : Number(left > right);
};

/** The rounds in the form of sc-consensus-grandpa-rpc's `ReportedRoundStates`. */
export const roundStateJson = (hash: AddressHash, { best, background, set }: RoundsOfSet) => {
  const keys = set.authorities.map(({ publicKey }) => publicKey).sort(compareBytes);
  const phase = ({ weight, voters }: RoundReport['prevotes']) => {
    const present = new Set(voters.map(bytesToKey));
    const missing = keys.filter((key) => !present.has(bytesToKey(key)));
    return {
      currentWeight: toNumber(weight, unreasonable),
      missing: missing.map((key) => ss58Encode(hash, key, ss58Prefix)),
    };
  };
  const round = (report: RoundReport) => ({
    round: toNumber(report.round, unreasonable),
    totalWeight: toNumber(report.totalWeight, unreasonable),
    thresholdWeight: toNumber(report.thresholdWeight, unreasonable),
    prevotes: phase(report.prevotes),
    precommits: phase(report.precommits),
  });
  return {
    setId: toNumber(set.setId, () => new RpcError(2, 'GRANDPA reports authority set id unreasonably large')),
    best: round(best),
    background: background.map(round),
  };
};
