import { dirname, join } from 'node:path';
import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { peerIdEncode } from '../../worker/crypto/peer-id.ts';
import { writeSecretFile } from '../../worker/db/files.ts';
import { bad, toKeptPlace } from '../cli/arguments.ts';
import { openChainSource } from '../files/chain-source.ts';
import { createFolder } from '../files/new-file.ts';
import { type KeyArguments, keyCommand, refuseArguments } from './key-command.ts';
import { readBytes } from './secrets.ts';

type Values = KeyArguments<'generate-node-key'>['values'];

/** Where the key is written; null for stdout. With a base path, where the SDK's node looks for it. */
const placeOf = async (values: Values): Promise<string | null> => {
  const { file, 'base-path': basePath, 'default-base-path': isDefault } = values;
  if ([file, basePath, isDefault].filter((value) => value !== undefined).length > 1)
    throw bad('--file, --base-path and --default-base-path cannot be combined');
  if (file !== undefined) return file;
  if (basePath === undefined && isDefault !== true) return null;
  const { chain, preset, json } = values;
  const place = toKeptPlace('generate-node-key', { chain, preset, 'base-path': basePath, json });
  const { storage } = await openChainSource(place);
  if (storage.kind !== 'sqlite') throw bad('generate-node-key needs a chain on disk');
  const folder = join(dirname(storage.path), 'network');
  await createFolder(folder);
  return join(folder, 'secret_ed25519');
};

/** Readable by its owner only. A key is never replaced unless the user says so. */
export const writeSecret = (path: string, data: string | Uint8Array, mayReplace: boolean): void => {
  try {
    writeSecretFile(path, data, mayReplace ? 'w' : 'wx');
  } catch (cause) {
    if (cause instanceof NodeError) throw cause;
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST')
      throw bad(`${path} exists: pass --yes to replace the key in it`, cause);
    throw bad(`${path} cannot be written`, cause);
  }
};

/** `tabnode key generate-node-key`: the secret goes to a file or stdout, the peer id to stderr. */
export const keyGenerateNodeKey = keyCommand(
  'generate-node-key',
  async ({ values, positionals }, output, io) => {
    refuseArguments('generate-node-key', positionals);
    const isBinary = values.bin === true;
    const place = await placeOf(values);
    if (isBinary && place === null && values.json === true) throw bad('--bin and --json cannot be combined');
    const crypto = await loadCrypto();
    const seed = globalThis.crypto.getRandomValues(new Uint8Array(32));
    const secretKey = bytesToHex(seed);
    const digits = secretKey.slice(2);
    const peerId = peerIdEncode(crypto.suriToPair(secretKey, 'ed25519').publicKey);
    if (place !== null) writeSecret(place, isBinary ? seed : digits, values.yes === true);
    if (values.json === true) {
      const where = place === null ? { secretKey: digits } : { file: place };
      return output.line(JSON.stringify({ peerId, ...where }));
    }
    if (place === null) io.write(isBinary ? seed : digits);
    else io.note(`Generating key in "${place}"`);
    io.note(peerId);
  },
);

/** `tabnode key inspect-node-key`: the peer id of a secret. */
export const keyInspectNodeKey = keyCommand(
  'inspect-node-key',
  async ({ values, positionals }, output, io) => {
    refuseArguments('inspect-node-key', positionals, ': pass --file');
    const seed = await readBytes('The key', { file: values.file, hex: values.bin !== true }, io);
    if (seed.length !== 32) throw new NodeError('BadKey', 'The key of a node has 32 bytes');
    const crypto = await loadCrypto();
    const peerId = peerIdEncode(crypto.suriToPair(bytesToHex(seed), 'ed25519').publicKey);
    output.line(values.json === true ? JSON.stringify({ peerId }) : peerId);
  },
);
