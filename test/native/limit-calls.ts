import type { ApiPromise } from '@polkadot/api';
import type { SubmittableExtrinsic } from '@polkadot/api/types';
import { Keyring } from '@polkadot/keyring';
import { u8aConcat } from '@polkadot/util';
import type { Node } from '../../worker/node.ts';
import { openApi } from '../rigs/api.ts';

type Call = SubmittableExtrinsic<'promise'>;

/** What the sizes of extrinsics and blocks are measured against. */
export type Limits = {
  /** Bytes of all extrinsics of a block, as far as transactions that are not operational may go. */
  readonly normalBytes: number;
  /** Time of execution, in picoseconds. */
  readonly normalTime: bigint;
  readonly extrinsicTime: bigint;
  readonly baseTime: bigint;
};

/**
 * Signs calls, of //Alice unless another account is named, for the chain of the node and every other with its
 * genesis.
 */
export const createCalls = async (node: Node) => {
  const { api, close } = await openApi(node);
  const keyring = new Keyring({ type: 'sr25519' });
  const pick = (section: string, method: string, ...args: unknown[]): Call => {
    const call = api.tx[section]?.[method];
    if (call === undefined) throw new Error(`the runtime has no ${section}.${method}`);
    return call(...args);
  };
  const sign = (call: Call, nonce: number, suri = '//Alice'): string => {
    const { genesisHash, runtimeVersion, registry } = api;
    const { signedExtensions } = registry;
    const options = { blockHash: genesisHash, genesisHash, runtimeVersion, nonce, era: 0, signedExtensions };
    return call.sign(keyring.addFromUri(suri), options as never).toHex();
  };
  const remark = (length: number): Call => pick('system', 'remark', `0x${'07'.repeat(length)}`);
  const sudo = (call: Call): Call => pick('sudo', 'sudo', call);
  /** An operational call that writes a value of this length. */
  const store = (length: number): Call =>
    sudo(pick('system', 'setStorage', [['0x6c696d6974', `0x${'61'.repeat(length)}`]]));
  /** A call of the normal class that claims to take this time. */
  const taking = (refTime: bigint): Call =>
    pick('sudo', 'sudoUncheckedWeight', pick('system', 'remark', '0x'), { refTime, proofSize: 0 });
  /** The bytes of `utility.batch` of one call, this many times inside itself. */
  const nested = (depth: number): Uint8Array => {
    const empty = pick('utility', 'batch', []).method.toU8a();
    const head = empty.subarray(0, 2);
    const one = Uint8Array.of(4);
    const layers = Array.from({ length: depth }, () => [head, one]).flat();
    return u8aConcat(...layers, pick('system', 'remark', '0x').method.toU8a());
  };
  const wrap = (bytes: Uint8Array): Call => api.tx(api.registry.createType('Call', bytes) as never);
  return { api, close, sign, pick, wrap, remark, sudo, store, taking, nested, limits: () => readLimits(api) };
};

type Weight = { readonly refTime: { toBigInt(): bigint } };
type Option<T> = { unwrap(): T };

const readLimits = (api: ApiPromise): Limits => {
  const system = api.consts['system'] as never as {
    blockLength: { max: { normal: { toNumber(): number } } };
    blockWeights: {
      perClass: { normal: { maxTotal: Option<Weight>; maxExtrinsic: Option<Weight>; baseExtrinsic: Weight } };
    };
  };
  const { normal } = system.blockWeights.perClass;
  return {
    normalBytes: system.blockLength.max.normal.toNumber(),
    normalTime: normal.maxTotal.unwrap().refTime.toBigInt(),
    extrinsicTime: normal.maxExtrinsic.unwrap().refTime.toBigInt(),
    baseTime: normal.baseExtrinsic.refTime.toBigInt(),
  };
};

export type Calls = Awaited<ReturnType<typeof createCalls>>;
