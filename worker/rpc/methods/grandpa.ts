import { NodeError } from '../../../src/protocol/errors.ts';
import type { grandpa as table } from '../../../src/protocol/rpc/consensus.ts';
import { bytesToKey } from '../../bytes/bytes.ts';
import { bytesToHex } from '../../bytes/hex.ts';
import { Writer } from '../../bytes/writer.ts';
import { writeFinalityProof } from '../../consensus/grandpa/codec.ts';
import type { RoundsOfSet } from '../../consensus/grandpa/voting.ts';
import { type AddressHash, ss58Encode } from '../../crypto/ss58.ts';
import { toBlockHash } from '../convert.ts';
import { RpcError } from '../errors.ts';
import type { Handlers } from '../handlers.ts';
import type { RpcParts } from '../parts.ts';

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

type Deps = Pick<RpcParts, 'chain' | 'grandpa' | 'voting' | 'crypto'>;
type ProvingDeps = Pick<Deps, 'chain' | 'grandpa'>;

const failed = (reason: string): RpcError => new RpcError(4, `GRANDPA prove finality rpc failed: ${reason}`);

const prove = async ({ chain, grandpa }: ProvingDeps, number: number) => {
  try {
    const { proveFinality } = await import('../../consensus/grandpa/prove.ts');
    return await proveFinality(chain, await grandpa.authoritySet(), number);
  } catch (error) {
    throw error instanceof NodeError ? failed(error.message) : error;
  }
};

const numberOf = async ({ chain }: ProvingDeps, hash: string): Promise<number> => {
  const header = await chain.loadHeader(toBlockHash(hash));
  if (header === null) throw failed(`Header was not found in the database: ${hash}`);
  return header.number;
};

/** PSP-6's result: a list with the one proof for the end of a range. */
const proveRange = async (
  deps: ProvingDeps,
  range: { readonly begin: string; readonly end: string },
  setId: bigint | null,
): Promise<string | null> => {
  const begin = await numberOf(deps, range.begin);
  const end = await numberOf(deps, range.end);
  const isCanonical = (await deps.chain.loadHashAt(end)) === range.end;
  if (begin > deps.chain.finalized().number || !isCanonical) return null;
  const found = await prove(deps, end);
  if (found === null || (setId !== null && setId !== found.setId)) return null;
  return bytesToHex(writeFinalityProof(new Writer(512).compact(1), found.proof).finish());
};

export const grandpaMethods: Handlers<typeof table, Deps> = {
  grandpa_roundState: ({ voting, crypto }) => {
    const rounds = voting.rounds();
    if (rounds === null) throw new RpcError(1, 'GRANDPA RPC endpoint not ready');
    return roundStateJson(crypto, rounds);
  },
  grandpa_proveFinality: async (deps, { block, end, set_id }) => {
    if (block.kind === 'hash') {
      if (end == null) throw new RpcError(-32602, 'Invalid params', 'No more params');
      return proveRange(deps, { begin: block.hash, end }, set_id ?? null);
    }
    const found = await prove(deps, block.number);
    return found === null ? null : bytesToHex(writeFinalityProof(new Writer(512), found.proof).finish());
  },
  grandpa_subscribeJustifications: ({ chain }, _args, sink) =>
    chain.onEvent((event) => {
      if (event.kind === 'finalized' && event.proof !== null) sink.emit(bytesToHex(event.proof));
    }),
};
