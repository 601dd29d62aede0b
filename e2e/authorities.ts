import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady } from '@polkadot/util-crypto';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** What makes development accounts the authorities of a chain: a patch of the `local_testnet` preset. */
export const authoritiesPatch = async (names: readonly string[]): Promise<string> => {
  await cryptoWaitReady();
  const [babe, grandpa] = (['sr25519', 'ed25519'] as const).map((type) => {
    const keyring = new Keyring({ type });
    return names.map((name) => keyring.addFromUri(`//${name}`).address);
  });
  const keys = babe?.map((account, index) => [
    account,
    account,
    { babe: account, grandpa: grandpa?.[index] },
  ]);
  return JSON.stringify({ session: { keys }, validators: { validators: babe } });
};

/** Writes the raw specification of such a chain as a file in a folder. Returns its path. */
export const writeAuthoritiesSpec = async (names: readonly string[], folder: string): Promise<string> => {
  const patch = `${folder}/patch.json`;
  await writeFile(patch, await authoritiesPatch(names));
  const code = path('../public/tabnode-runtime.compact.compressed.wasm');
  const chain = ['--chain', code, '--preset', 'local_testnet', '--patch', patch, '--chain-id', 'authorities'];
  const output = `${folder}/authorities.json`;
  const args = [path('../bridge/tabnode.ts'), 'build-spec', ...chain, '--raw', '--output', output];
  await promisify(execFile)(process.execPath, args);
  return output;
};

/** Who sealed a block, by the index of the authority, and in which slot: from the logs of its header. */
export const claimOf = (logs: readonly string[]): { readonly author: number; readonly slot: number } => {
  const log = logs.find((one) => one.startsWith('0x0642414245'));
  if (log === undefined) throw new Error('The block has no BABE claim');
  const bytes = Buffer.from(log.slice(2), 'hex');
  // The length has two bytes for a primary slot, which has a VRF output. A byte for the kind of slot comes before the index.
  const at = 6 + (((bytes[5] ?? 0) & 3) === 0 ? 1 : 2);
  return { author: bytes.readUInt32LE(at), slot: Number(bytes.readBigUInt64LE(at + 4)) };
};
