import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { NodeError } from '../../src/protocol/errors.ts';
import { fromHex } from '../../src/scale/hex.ts';
import { entryPrefix } from '../../src/scale/storage.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import { Reader } from '../../worker/bytes/reader.ts';
import { bad } from '../cli/arguments.ts';
import { folderOf } from './arguments.ts';
import { readStorageFile } from './config-file.ts';
import type { ChopsticksOptions } from './options.ts';
import { readPlace } from './place.ts';
import type { Request } from './request.ts';
import { orUndone } from './undone.ts';

/** Changes a node that has started, before clients reach it. */
export type SetUp = (request: Request) => Promise<void>;

/** `:code`. */
const codeKey = '0x3a636f6465';

/** A runtime as bytes, or as a text of hex, as chopsticks takes it. Throws `BadConfig`. */
const readCode = async (path: string): Promise<string> => {
  const bytes = await readPlace(path, { option: 'wasm-override' });
  if (bytes[0] !== 0x30 || bytes[1] !== 0x78) return bytesToHex(bytes);
  const text = new TextDecoder().decode(bytes).trim();
  if (text.length % 2 === 0 && /^0x[0-9a-f]+$/i.test(text)) return text;
  throw bad(`wasm-override: ${path} begins as hex, but is not`);
};

const isHex = (value: unknown): boolean => typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value);

/** Keys and values that `dev_setStorage` would complete, such as hex with an odd number of digits, are refused here. */
const checkPairs = (pairs: readonly unknown[]): void => {
  for (const [index, pair] of pairs.entries()) {
    const [key, value, ...more] = Array.isArray(pair) ? (pair as unknown[]) : [];
    if (isHex(key) && (value === null || isHex(value)) && more.length === 0) continue;
    throw bad(
      `import-storage: entry ${index} is no pair of a key and a value: write ["0x…", "0x…"] with two digits for each byte, or null for the value`,
    );
  }
};

const readStorage = async (given: ChopsticksOptions['import-storage']) => {
  const found = typeof given === 'string' ? await readStorageFile(given) : given;
  if (typeof found !== 'object' || found === null)
    throw bad(
      `import-storage: ${String(given)} has no map of pallets: write Pallet: {Item: value}, or a list of pairs of hex`,
    );
  if (Array.isArray(found)) checkPairs(found);
  return found;
};

/** Names the option that an error is about. */
const asOption = async <T>(option: string, work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof NodeError) || error.message.startsWith(option)) throw error;
    const text = error.message.replace(/^Invalid params: /, '');
    throw new NodeError(error.code, `${option}: ${text}`, { cause: error });
  }
};

type Runtime = {
  readonly specName: string;
  readonly specVersion: number;
  /** Host functions that it imports and this node lacks. */
  readonly missing: readonly string[];
};

/** A runtime of another chain would read this state as nonsense; the SDK's `set_code` refuses it likewise. */
const overrideCode = async (
  request: Request,
  path: string,
  code: string,
  allowsUnresolved: boolean,
): Promise<void> => {
  const before = (await request('dev_runtimeInfo', [])) as Runtime;
  const after = (await request('dev_runtimeInfo', [null, code])) as Runtime;
  if (after.specName !== before.specName)
    throw bad(
      `wasm-override: ${path} is a runtime of ${after.specName}, and this chain is ${before.specName}; give a runtime of this chain`,
    );
  if (after.missing.length > 0 && !allowsUnresolved)
    throw bad(
      `wasm-override: ${path} needs host functions that this node does not have: ${after.missing.join(', ')}; with "allow-unresolved-imports: true", it is set, and traps if it calls one`,
    );
  await request('dev_setStorage', [[[codeKey, code]]]);
};

/** Continues from the newest finalized block of the live chain, if there is one that is newer than the base. */
const toNewest = async (request: Request): Promise<void> => {
  try {
    await request('dev_fork', [{ rebase: 'finalized' }]);
  } catch (error) {
    if (!(error instanceof NodeError && error.code === 'BadValue')) throw error;
  }
};

const nowKey = /* @__PURE__ */ entryPrefix('Timestamp', 'Now');

/** Chain time in ms; 0 if the runtime has none. */
const chainTime = async (request: Request): Promise<number> => {
  const value = (await request('state_getStorage', [nowKey])) as string | null;
  return value === null ? 0 : Number(new Reader(fromHex(value)).u64());
};

/** A chain that is resumed may have reached the time when it ran before. */
const travelTo = async (
  request: Request,
  timestamp: number,
  resumes: boolean,
  notify: (text: string) => void,
): Promise<void> => {
  const now = resumes ? await chainTime(request) : 0;
  if (now < timestamp) await request('dev_timeTravel', [timestamp]);
  else
    notify(
      `timestamp: the chain that is resumed is at ${new Date(now).toISOString()} already, and goes on from there`,
    );
};

const snapshot = 'tabnode:before-config';

/**
 * What chopsticks does with its options once it has a chain, in its order (packages/chopsticks/src/context.ts): resume,
 * time, runtime, storage. Files are read before the node starts. Without `resume`, what is stored is only a cache: the chain
 * begins again at its base, or at the newest finalized block if no block is named. `notify` receives what has no effect.
 * Throws `BadConfig`.
 */
export const prepareSetUp = async (
  options: ChopsticksOptions,
  notify: (text: string) => void = () => undefined,
): Promise<SetUp> => {
  const { db, resume, block, timestamp } = options;
  const wasm = options['wasm-override'];
  const storage = options['import-storage'];
  const allowsUnresolved = options['allow-unresolved-imports'] === true;
  const code = wasm === undefined ? null : await readCode(wasm);
  const edits = storage === undefined ? null : await readStorage(storage);
  const isStored = db !== undefined && existsSync(folderOf(db));
  const resumes = resume !== undefined && resume !== false;
  if (resumes && !isStored)
    throw bad(
      `"resume": nothing is stored in ${resolve(folderOf(db ?? ''))} yet; remove it for the first run`,
    );
  return async (request) => {
    if (resumes && resume !== true) await asOption('resume', request('dev_setHead', [resume]));
    if (isStored && !resumes) {
      await request('dev_reset', []);
      if (block === undefined || block === 'finalized') await toNewest(request);
    }
    if (timestamp === undefined && code === null && edits === null) return;
    await orUndone(request, snapshot, async () => {
      if (timestamp !== undefined) await asOption('timestamp', travelTo(request, timestamp, resumes, notify));
      if (code !== null)
        await asOption('wasm-override', overrideCode(request, wasm ?? '', code, allowsUnresolved));
      if (edits !== null) await asOption('import-storage', request('dev_setStorage', [edits]));
    });
  };
};
