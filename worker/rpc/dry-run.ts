import { concatBytes, equalBytes } from '../bytes/bytes.ts';
import { readOpaqueExtrinsic } from './convert.ts';
import { RpcError } from './errors.ts';
import { askRuntime, blockAt, failureText } from './lookups.ts';
import type { RpcParts } from './parts.ts';

const method = 'BlockBuilder_apply_extrinsic';
/** Since this version of the API a module's error has four bytes, before it had one. */
const wideErrorsSince = 6;

/** The SDK writes a full stop here and none for extrinsics that do not decode (RPC.md §1.2). */
const failed = (why: string): RpcError => new RpcError(1, 'Unable to dry run extrinsic.', why);

/** `Ok(Err(Module { index, error: u8 }))` of old runtimes with the error as four bytes. */
const widenModuleError = (output: Uint8Array): Uint8Array => {
  const isModuleError = output.length === 5 && output[0] === 0 && output[1] === 1 && output[2] === 3;
  return isModuleError ? concatBytes(output, new Uint8Array(3)) : output;
};

/**
 * `Err(Invalid(AncientBirthBlock))`. The SDK's node says so of a transaction born in the very block it is
 * tried on, too: the state of a block does not have the block's own hash. The next block does, and that is
 * where the transaction would go.
 */
const isAncient = (output: Uint8Array): boolean => equalBytes(output, Uint8Array.of(1, 0, 5));

const badBytes = (why: string): RpcError =>
  new RpcError(2, 'Unable to dry run extrinsic', `Could not decode \`OpaqueExtrinsic.0\`:\n\t${why}\n`);

/**
 * Applies an extrinsic to the state of a block without opening one, drops the changes, and answers the SCALE
 * ApplyExtrinsicResult; within the next block where it would be too old for this one. Throws code 2 for bytes
 * that are no extrinsic, 1 for everything else.
 */
export const dryRun = async (
  deps: Pick<RpcParts, 'chain'>,
  bytes: Uint8Array,
  at: string | null | undefined,
): Promise<Uint8Array> => {
  const { extrinsic } = readOpaqueExtrinsic(bytes, badBytes);
  const hash = blockAt(deps, at);
  return await askRuntime(hash, failed, async () => {
    const version = (await deps.chain.runtimeAt(hash)).apiVersion('BlockBuilder');
    if (version === null) throw failed(`Could not find \`BlockBuilder\` api for block \`${hash}\`.`);
    const first = await deps.chain.callAt(hash, method, extrinsic);
    const isOld = first.ok && isAncient(first.output);
    const next = isOld ? await deps.chain.callAt(hash, method, extrinsic, { inNextBlock: true }) : null;
    const result = next?.ok === true ? next : first;
    if (!result.ok) throw failed(failureText(method, result));
    return version < wideErrorsSince ? widenModuleError(result.output) : result.output;
  });
};
