import { NodeError } from '../../../src/protocol/errors.ts';
import { birthOf } from '../../../src/scale/era.ts';
import { addressJson, commonExtensions, encodeCall, prepareExtrinsic } from '../../../src/scale/extrinsic.ts';
import { blake2 } from '../../../src/scale/hash.ts';
import type { Json, RuntimeMeta } from '../../../src/scale/types.ts';
import { signWithSuri } from '../../node/tx/keys.ts';
import { readAccounts } from './accounts.ts';
import { findBlock, readHeader } from './blocks.ts';
import { needCall } from './names.ts';
import type { AgentAccount, Context } from './tool.ts';

export type CallArgs = {
  readonly pallet: string;
  readonly call: string;
  readonly args: Readonly<Record<string, Json>>;
};

/** Encodes an agent's call. Throws `Unsupported`, `BadValue`, and EncodeFault, which names the argument. */
export const buildCall = async (
  meta: RuntimeMeta,
  wanted: CallArgs,
): Promise<{ readonly name: string; readonly bytes: Uint8Array }> => {
  const call = needCall(meta, wanted.pallet, wanted.call);
  const { pallet, name } = call;
  const entry = call.args;
  const given = Object.keys(wanted.args);
  if (entry === null && given.length > 0)
    throw new NodeError('BadValue', `${pallet}.${name} takes no arguments, not ${given.join(', ')}`);
  const args = entry === null ? null : await readAccounts(meta, entry, wanted.args);
  return { name: `${pallet}.${name}`, bytes: encodeCall(meta, pallet, name, args) };
};

/** A placeholder for a signature where only its length matters. */
const noSignature = `0x${'00'.repeat(64)}`;

type Forked = { readonly base?: { readonly number: number } } | null;

/**
 * On a fork, a transaction is valid in its own blocks only, because an immortal one could be submitted to the live chain. Null
 * for other chains, and for nodes of another implementation.
 */
const ownEra = async (context: Context) => {
  const status = (await context.request('dev_status', []).catch(() => null)) as Forked;
  if (status?.base === undefined) return null;
  const best = await findBlock(context, undefined);
  const { parentHash } = await readHeader(context, best.hash);
  return { period: 64, ...birthOf(best, parentHash, status.base.number) };
};

/** Who sends: a development account by its path, an account of the server, or with neither a placeholder for the signature. */
type Sender = {
  readonly address: string;
  readonly path: string | null;
  readonly account?: AgentAccount | undefined;
};

/**
 * A transaction with the next nonce, immortal except on a fork; without a path, with a placeholder of the signature's length.
 */
export const signTransaction = async (
  context: Context,
  meta: RuntimeMeta,
  call: Uint8Array,
  { address, path, account }: Sender,
): Promise<string> => {
  const { request } = context;
  const [nonce, version, genesisHash, mortal] = await Promise.all([
    request('system_accountNextIndex', [address]),
    request('state_getRuntimeVersion', []) as Promise<Readonly<Record<string, number>>>,
    request('chain_getBlockHash', [0]),
    path === null && account === undefined ? null : ownEra(context),
  ]);
  const values = commonExtensions({
    nonce: Number(nonce),
    tip: 0n,
    specVersion: version['specVersion'] ?? 0,
    transactionVersion: version['transactionVersion'] ?? 0,
    genesisHash: String(genesisHash),
    mortal,
  });
  const unsigned = prepareExtrinsic(meta, call, values, blake2);
  const signature = account?.sign(unsigned.payload) ?? {
    Sr25519: path === null ? noSignature : await signWithSuri(path, unsigned.payload),
  };
  return unsigned.finish(addressJson(meta, address), { ...signature });
};
