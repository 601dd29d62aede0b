import { hexToBytes } from '../../../worker/bytes/hex.ts';
import { loadFixtureJson } from '../../rigs/fixtures.ts';
import { bytesArgument, type Call } from './script.ts';

type SignatureReport = {
  readonly name: string;
  readonly calls: readonly { readonly name: string; readonly arguments: readonly string[] }[];
};
type BlobReport = { readonly name: string; readonly blob: string };

/** Lists of calls from public reports of faults in nodes, by name (shared fixtures). */
export const loadReports = async (): Promise<(readonly [name: string, calls: readonly Call[]])[]> => {
  const signatures = await loadFixtureJson<SignatureReport[]>('bugs-t3/signatures.json');
  const blobs = await loadFixtureJson<BlobReport[]>('bugs-t3/runtime-blobs.json');
  const toArgument = (hex: string) => bytesArgument(hexToBytes(hex));
  return [
    ...signatures.map(
      ({ name, calls }) =>
        [name, calls.map((call) => ({ name: call.name, args: call.arguments.map(toArgument) }))] as const,
    ),
    ...blobs.map(
      ({ name, blob }) =>
        [name, [{ name: 'ext_misc_runtime_version_version_1', args: [toArgument(blob)] }]] as const,
    ),
  ];
};
