import { concatBytes, equalBytes } from '../../bytes/bytes.ts';
import { readOpaqueExtrinsic } from '../convert.ts';
import { RpcError } from '../errors.ts';
import { askRuntime, blockAt, failureText } from '../lookups.ts';
import type { RpcParts } from '../parts.ts';

const method = 'BlockBuilder_apply_extrinsic';
/** The API version since which a module error has four bytes instead of one. */
const wideErrorsSince = 6;

/** The SDK's message ends with a full stop here, but not for extrinsics that do not decode. */
const failed = (why: string): RpcError => new RpcError(1, 'Unable to dry run extrinsic.', why);

/** `Ok(Err(Module { index, error: u8 }))` of old runtimes, with the error extended to four bytes. */
const widenModuleError = (output: Uint8Array): Uint8Array => {
  const isModuleError = output.length === 5 && output[0] === 0 && output[1] === 1 && output[2] === 3;
  return isModuleError ? concatBytes(output, new Uint8Array(3)) : output;
};

/**
 * `Err(Invalid(AncientBirthBlock))`. The SDK's node also returns this for a transaction born in the very
 * block it is tried on, because the state of a block does not contain the block's own hash. The next block's
 * does, and that is where the transaction would be included.
 */
const isAncient = (output: Uint8Array): boolean => equalBytes(output, Uint8Array.of(1, 0, 5));

const badBytes = (why: string): RpcError =>
  new RpcError(2, 'Unable to dry run extrinsic', `Could not decode \`OpaqueExtrinsic.0\`:\n\t${why}\n`);

/**
 * Applies an extrinsic to the state of a block without initializing a new block, drops the changes, and
 * returns the SCALE ApplyExtrinsicResult. If the result is AncientBirthBlock, tries again within the next
 * block. Throws code 2 for bytes that are not an extrinsic, 1 for all other errors.
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
