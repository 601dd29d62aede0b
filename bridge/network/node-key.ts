import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { NodeError } from '../../src/protocol/errors.ts';
import type { StorageSource } from '../../src/protocol/node.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';

/** The file has 32 bytes, or these as hex, as the SDK's nodes read and write it. */
const readKey = (file: string, bytes: Uint8Array): string => {
  if (bytes.length === 32) return bytesToHex(bytes);
  const text = new TextDecoder().decode(bytes).trim().replace(/^0x/i, '');
  if (/^[0-9a-f]{64}$/i.test(text)) return `0x${text.toLowerCase()}`;
  throw new NodeError('BadKey', `${file} is not the key of a node: expected 32 bytes, or these as hex`);
};

const read = async (file: string): Promise<Uint8Array | null> => {
  try {
    return new Uint8Array(await readFile(file));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new NodeError('BadConfig', `${file} cannot be read`, { cause });
  }
};

/**
 * The secret of the node's key as hex: the given one, or else that of the file in which `tabnode key generate-node-key`
 * and the SDK's nodes keep it beside a chain. Null: the node makes one. Throws `BadConfig`, `BadKey`.
 */
export const readNodeKey = async (
  given: { readonly secret: string } | { readonly file: string } | null,
  storage: StorageSource,
): Promise<string | null> => {
  if (given !== null && 'secret' in given) return given.secret;
  const beside = storage.kind === 'sqlite' ? join(dirname(storage.path), 'network', 'secret_ed25519') : null;
  const file = given?.file ?? beside;
  if (file === null) return null;
  const bytes = await read(file);
  if (bytes !== null) return readKey(file, bytes);
  if (given === null) return null;
  throw new NodeError('BadConfig', `${file} does not exist`);
};
