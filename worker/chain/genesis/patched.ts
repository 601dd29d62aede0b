import { NodeError } from '../../../src/protocol/errors.ts';
import { exactJson, mergeJson } from './spec.ts';

const parsePatch = (text: string): unknown => {
  try {
    return exactJson.parse(text);
  } catch (cause) {
    throw new NodeError('BadSpec', 'The genesis patch is not JSON', { cause });
  }
};

type Plain = { readonly genesis?: { readonly runtimeGenesis?: Readonly<Record<string, unknown>> } };

/**
 * A plain specification whose genesis differs from the runtime's in one more patch. Throws `BadConfig` if it has a state or a
 * whole configuration instead, and `BadSpec` for a patch that is not JSON.
 */
export const patchSpec = (specJson: string, patch: string): string => {
  const more = parsePatch(patch);
  const spec = exactJson.parse(specJson) as Plain;
  const { runtimeGenesis } = spec.genesis ?? {};
  if (runtimeGenesis === undefined || 'config' in runtimeGenesis)
    throw new NodeError(
      'BadConfig',
      '--patch requires as --chain a preset, a runtime (.wasm), or a specification whose genesis is a patch itself',
    );
  const merged = mergeJson(runtimeGenesis['patch'] ?? {}, more);
  return exactJson.stringify({ ...spec, genesis: { runtimeGenesis: { ...runtimeGenesis, patch: merged } } });
};
