import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { openApi } from '../test/rigs/api.ts';
import type { Node } from '../worker/node.ts';

const names = ['//Alice', '//Bob', '//Charlie', '//Dave', '//Eve', '//Ferdie'];

/**
 * Signs transfers among the dev accounts, round robin; not part of any measurement. Returns the hex of each.
 */
export const signTransfers = async (
  node: Node,
  count: number,
  options: {
    readonly recipients?: readonly Uint8Array[];
    readonly senders?: number;
    /** Other accounts than the dev accounts, in the form of `//Alice`. */
    readonly uris?: readonly string[];
    /** The same for all; by default each has its own. */
    readonly amount?: bigint;
  } = {},
): Promise<string[]> => {
  await cryptoWaitReady();
  const { api, close } = await openApi(node);
  const keyring = new Keyring({ type: 'sr25519' });
  const uris = options.uris ?? names.slice(0, options.senders ?? names.length);
  const pairs = uris.map((uri) => keyring.addFromUri(uri));
  const transfer = api.tx['balances']?.['transferKeepAlive'] ?? api.tx['balances']?.['transfer'];
  if (transfer === undefined) throw new Error('the runtime has no transfer call');
  const signed: string[] = [];
  for (let index = 0; index < count; index++) {
    const from = pairs[index % pairs.length];
    const to = options.recipients?.[index] ?? pairs[(index + 1) % pairs.length]?.publicKey;
    if (from === undefined || to === undefined) throw new Error('no pair');
    const extrinsic = transfer(to, options.amount ?? 1_000_000_000n + BigInt(index));
    extrinsic.sign(from, {
      blockHash: api.genesisHash,
      genesisHash: api.genesisHash,
      runtimeVersion: api.runtimeVersion,
      nonce: Math.floor(index / pairs.length),
      era: 0,
      signedExtensions: api.registry.signedExtensions,
    } as never);
    signed.push(extrinsic.toHex());
  }
  await close();
  return signed;
};
