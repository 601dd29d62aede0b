import { NodeError } from '../../../src/protocol/errors.ts';
import type { RuntimeVersion } from '../../codec/runtime-version.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import type { Executor, Runtime } from '../../executor/executor.ts';
import { missingImports, missingText } from '../../executor/host/index.ts';

/**
 * The runtime of an upgrade. Throws `BadCode` for one that this node cannot run, or that frame-system would refuse as the
 * next one (`can_set_code`): another specification, or no newer version.
 */
export const loadNewCode = (
  { executor, crypto }: { readonly executor: Pick<Executor, 'load'>; readonly crypto: Crypto },
  code: Uint8Array,
  present: RuntimeVersion,
): Runtime => {
  const runtime = executor.load(crypto.blake2b256(code), code);
  const { specName, specVersion } = runtime.version;
  const missing = missingImports(runtime.module);
  if (missing.length > 0)
    throw new NodeError('BadCode', `The runtime ${specName} ${specVersion} ${missingText(missing)}`);
  if (specName !== present.specName)
    throw new NodeError(
      'BadCode',
      `The runtime is ${specName} ${specVersion}, and the chain runs ${present.specName} ${present.specVersion}: the specification must have the same name`,
    );
  if (specVersion <= present.specVersion)
    throw new NodeError(
      'BadCode',
      `The runtime is ${specName} ${specVersion}, and the chain runs ${present.specName} ${present.specVersion} already: build it with a higher spec_version, or choose an earlier block`,
    );
  return runtime;
};
