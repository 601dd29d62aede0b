import { NodeError } from '../../../src/protocol/errors.ts';
import type { NodeConfig } from '../../../src/protocol/node.ts';
import { textToBytes } from '../../bytes/bytes.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import { type ChainSpec, type GivenSpec, plainSpec, type Sourced } from './spec.ts';

const presetSpec = (preset: 'development' | 'local_testnet', code: Uint8Array): ChainSpec => ({
  name: preset === 'development' ? 'Development' : 'Local Testnet',
  id: preset === 'development' ? 'dev' : 'local_testnet',
  chainType: preset === 'development' ? 'Development' : 'Local',
  properties: { ss58Format: 42, tokenDecimals: 12, tokenSymbol: 'UNIT' },
  ...plainSpec,
  genesis: { kind: 'runtime', code, preset, patch: null, config: null },
});

/** Where a database remembers the specification with which it was opened (`given-spec.ts`). */
export const specKey = /* @__PURE__ */ textToBytes('spec');

export type SpecDeps = {
  readonly crypto: Pick<Crypto, 'blake2b256'>;
  loadRuntime(): Promise<Uint8Array>;
  /** Opens the file of a specification. Throws `BadSpec`. */
  readonly openSpec?: ((path: string) => Promise<GivenSpec>) | undefined;
};

const openGiven = async (
  chain: { readonly specJson: string } | { readonly specFile: string },
  openSpec: SpecDeps['openSpec'],
): Promise<GivenSpec> => {
  if ('specJson' in chain) return { stamp: null, read: async () => textToBytes(chain.specJson) };
  if (openSpec === undefined) throw new NodeError('BadConfig', 'Only a node in Node.js reads files');
  return openSpec(chain.specFile);
};

/**
 * The specification and the hash that identifies the chain. Preset chains are identified by name, so they
 * survive a newer default runtime. `stored` is what the database remembers.
 */
export const sourceSpec = async (
  { crypto, loadRuntime, openSpec }: SpecDeps,
  chain: NodeConfig['chain'],
  stored: Uint8Array | null = null,
): Promise<Sourced> => {
  if (typeof chain === 'string') {
    const spec = presetSpec(chain, await loadRuntime());
    return { spec, identity: crypto.blake2b256(textToBytes(`preset:${chain}`)) };
  }
  if ('specJson' in chain || 'specFile' in chain) {
    const { readGivenSpec } = await import('./given-spec.ts');
    return readGivenSpec(crypto.blake2b256, await openGiven(chain, openSpec), stored);
  }
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
