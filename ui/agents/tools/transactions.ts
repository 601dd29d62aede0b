import { NodeError } from '../../../src/protocol/errors.ts';
import { addressJson, commonExtensions, encodeCall, prepareExtrinsic } from '../../../src/scale/extrinsic.ts';
import { blake2 } from '../../../src/scale/hash.ts';
import type { Json, RuntimeMeta } from '../../../src/scale/types.ts';
import { signWithSuri } from '../../node/tx/keys.ts';
import { readAccounts } from './accounts.ts';
import { needCall } from './names.ts';
import type { Context } from './tool.ts';

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

/** An immortal transaction with the next nonce; without a path, with a placeholder of the signature's length. */
export const signTransaction = async (
  { request }: Context,
  meta: RuntimeMeta,
  call: Uint8Array,
  { address, path }: { readonly address: string; readonly path: string | null },
): Promise<string> => {
  const [nonce, version, genesisHash] = await Promise.all([
    request('system_accountNextIndex', [address]),
    request('state_getRuntimeVersion', []) as Promise<Readonly<Record<string, number>>>,
    request('chain_getBlockHash', [0]),
  ]);
  const values = commonExtensions({
    nonce: Number(nonce),
    tip: 0n,
    specVersion: version['specVersion'] ?? 0,
    transactionVersion: version['transactionVersion'] ?? 0,
    genesisHash: String(genesisHash),
    mortal: null,
  });
  const unsigned = prepareExtrinsic(meta, call, values, blake2);
  const signature = path === null ? noSignature : await signWithSuri(path, unsigned.payload);
  return unsigned.finish(addressJson(meta, address), { Sr25519: signature });
};
