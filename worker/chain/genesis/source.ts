import { NodeError } from '../../../src/protocol/errors.ts';
import type { NodeConfig } from '../../../src/protocol/node.ts';
import { textToBytes } from '../../bytes/bytes.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import { type ChainSpec, parseChainSpec, plainSpec } from './spec.ts';

const presetSpec = (preset: 'development' | 'local_testnet', code: Uint8Array): ChainSpec => ({
  name: preset === 'development' ? 'Development' : 'Local Testnet',
  id: preset === 'development' ? 'dev' : 'local_testnet',
  chainType: preset === 'development' ? 'Development' : 'Local',
  properties: { ss58Format: 42, tokenDecimals: 12, tokenSymbol: 'UNIT' },
  ...plainSpec,
  genesis: { kind: 'runtime', code, preset, patch: null, config: null },
});

export type Sourced = { readonly spec: ChainSpec; readonly identity: Uint8Array };

/**
 * The specification and the hash that identifies the chain. Preset chains are identified by name, so they
 * survive a newer default runtime.
 */
export const sourceSpec = async (
  crypto: Pick<Crypto, 'blake2b256'>,
  chain: NodeConfig['chain'],
  loadRuntime: () => Promise<Uint8Array>,
): Promise<Sourced> => {
  if (typeof chain === 'string') {
    const spec = presetSpec(chain, await loadRuntime());
    return { spec, identity: crypto.blake2b256(textToBytes(`preset:${chain}`)) };
  }
  if ('specJson' in chain)
    return { spec: parseChainSpec(chain.specJson), identity: crypto.blake2b256(textToBytes(chain.specJson)) };
  if ('fork' in chain)
    throw new NodeError('Unsupported', 'A fork of a live chain has no chain specification to do this with');
  const preset = chain.preset ?? null;
  const spec: ChainSpec = {
    name: preset ?? 'Custom runtime',
    id: preset ?? 'custom',
    chainType: 'Development',
    properties: {},
    ...plainSpec,
    genesis: { kind: 'runtime', code: chain.wasm, preset, patch: chain.patch ?? null, config: null },
  };
  const settings = textToBytes(`${preset ?? ''}\n${chain.patch ?? ''}`);
  return {
    spec,
    identity: crypto.blake2b256(
      Uint8Array.of(...crypto.blake2b256(chain.wasm), ...crypto.blake2b256(settings)),
    ),
  };
};
