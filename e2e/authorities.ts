import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { xxhashAsHex } from '@polkadot/util-crypto';
import { callHttp } from '../bridge/clients/test-clients.fixture.ts';
import { authoritiesPatch } from '../test/network/authorities.ts';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** Writes the raw specification of a chain with these authorities as a file in a folder. Returns its path. */
export const writeAuthoritiesSpec = async (
  names: readonly string[],
  folder: string,
  validators: Readonly<Record<string, unknown>> = {},
): Promise<string> => {
  const [patch, output] = [`${folder}/authorities-patch.json`, `${folder}/authorities.json`];
  await writeFile(patch, await authoritiesPatch(names, validators));
  const code = path('../public/tabnode-runtime.compact.compressed.wasm');
  const preset = ['--chain', code, '--preset', 'local_testnet', '--patch', patch];
  const args = ['build-spec', ...preset, '--raw', '--chain-id', 'authorities', '--output', output];
  await promisify(execFile)(process.execPath, [path('../bridge/tabnode.ts'), ...args]);
  return output;
};

/** The index of the authority that sealed a block, from the logs of its header. */
export const authorOf = (logs: readonly string[]): number => {
  const log = logs.find((one) => one.startsWith('0x0642414245'));
  if (log === undefined) throw new Error('The block has no BABE pre-digest');
  const bytes = Buffer.from(log.slice(2), 'hex');
  // The length has two bytes for a primary slot, which has a VRF output. A byte for the kind of slot comes before the index.
  const length = ((bytes[5] ?? 0) & 3) === 0 ? 1 : 2;
  return bytes.readUInt32LE(6 + length);
};

/** The keys of `Offences.Reports`, where the runtime keeps each equivocation of blocks or votes. */
export const reportedOffences = async (at: string): Promise<unknown> => {
  const prefix = `${xxhashAsHex('Offences', 128)}${xxhashAsHex('Reports', 128).slice(2)}`;
  return callHttp(at, 'state_getKeysPaged', [prefix, 10]);
};
