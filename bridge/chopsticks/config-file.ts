import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseEnv } from 'node:util';
import { concatBytes } from '../../worker/bytes/bytes.ts';
import { bad } from '../cli/arguments.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where chopsticks finds a configuration that is given by its name. */
const named = 'https://raw.githubusercontent.com/AcalaNetwork/chopsticks/master/configs/';

const isUrl = (path: string): boolean => /^https?:\/\//i.test(path);

/** Until then, a server must have sent the whole file. */
const patienceMs = 60_000;
/** A runtime is the largest file; those of public chains have about 2 MB. */
const mostBytes = 64 * 1024 * 1024;

const download = async (url: string): Promise<Uint8Array> => {
  try {
    // biome-ignore lint/style/noRestrictedGlobals: the operator names the URL on the command line
    const { ok, status, body } = await fetch(url, { signal: AbortSignal.timeout(patienceMs) });
    if (!ok || body === null) throw new Error(`the server responds ${status}`);
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of body as unknown as AsyncIterable<Uint8Array>) {
      size += part.length;
      if (size > mostBytes) throw new Error(`it has more than ${mostBytes / 1024 / 1024} MiB`);
      parts.push(part);
    }
    return concatBytes(...parts);
  } catch (cause) {
    throw bad(`${url} cannot be read: ${cause instanceof Error ? cause.message : cause}`, cause);
  }
};

/** The bytes of a file, or of an http(s) URL. Throws `BadConfig`. */
export const readPlace = async (path: string): Promise<Uint8Array> => {
  if (isUrl(path)) return download(path);
  try {
    return new Uint8Array(await readFile(path));
  } catch (cause) {
    const hint =
      basename(path) === path && !path.includes('.') ? `; chopsticks' own is ${named}${path}.yml` : '';
    throw bad(`${path} cannot be read${hint}`, cause);
  }
};

/** What chopsticks evaluates as JavaScript: a variable, and possibly a value for when it is not set. */
const variable =
  /^\s*env(?:\.(\w+)|\[\s*(["'])(\w+)\2\s*\])\s*(?:(?:\|\||\?\?)\s*(?:(["'`])([^"'`]*)\4|(-?[\w.]+))\s*)?$/;

/** Replaces `${env.NAME}` and `${env.NAME || 'value'}`. A variable that is not set is empty. Throws `BadConfig`. */
const fillIn = (source: string, env: Environment, where: string): string =>
  source.replaceAll(/\$\{([^}]*)\}|<%[=-]([\s\S]*?)%>/g, (whole, first?: string, second?: string) => {
    const found = variable.exec(first ?? second ?? '');
    if (found === null)
      throw bad(
        `${where}: ${whole} is not evaluated here; write \${env.NAME}, or \${env.NAME || 'value'} with a value for when it is not set`,
      );
    const [, dotted, , indexed, , quoted, bare] = found;
    return env[dotted ?? indexed ?? ''] || (quoted ?? bare ?? '');
  });

/** Deeper than any storage by name; an anchor that contains itself has no end. */
const mostLevels = 32;
const tooDeep = `it has more than ${mostLevels} levels of lists and maps; does an anchor contain itself?`;

/**
 * Plain data. Numbers that a double holds exactly are numbers, larger ones stay whole. Throws on values of other types
 * (`!!set`, `!!binary`, dates), and on those that are nested too deeply.
 */
const exact = (value: unknown, level = 0): unknown => {
  if (typeof value === 'bigint')
    return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
      ? Number(value)
      : value;
  if (typeof value !== 'object' || value === null) return value;
  if (level === mostLevels) throw new Error(tooDeep);
  if (Array.isArray(value)) return value.map((one) => exact(one, level + 1));
  if (Object.getPrototypeOf(value) !== Object.prototype)
    throw new Error('only maps, lists, texts, numbers, true, false and null are read here; remove the tag');
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, exact(one, level + 1)]));
};

/**
 * Parses YAML, of which JSON is a part, as js-yaml does. Hex without quotes that is longer than a number may be is text:
 * a key or a hash is meant. Loads the library with the first file. Throws `BadConfig` with the line.
 */
export const parseYaml = async (source: string, where: string): Promise<unknown> => {
  const { parseDocument } = await import('yaml');
  const longHex = {
    tag: 'tag:yaml.org,2002:str',
    default: true,
    test: /^0x[0-9a-fA-F]{14,}$/,
    resolve: (found: string) => found,
  } as const;
  const document = parseDocument(source, {
    merge: true,
    intAsBigInt: true,
    prettyErrors: false,
    logLevel: 'error',
    customTags: (tags) => [longHex, ...tags],
  });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const line = source.slice(0, fault.pos[0]).split('\n').length;
    // The parser calls itself for each level, and takes the end of the stack for a fault of the text.
    const text = fault.message.includes('call stack') ? tooDeep : fault.message.split('\n')[0];
    throw bad(`${where}:${line}: ${text}`, fault);
  }
  try {
    // Aliases and merges are looked up only here.
    return exact(document.toJS({ maxAliasCount: 100 }));
  } catch (cause) {
    const isStack = cause instanceof RangeError;
    throw bad(`${where}: ${isStack ? tooDeep : cause instanceof Error ? cause.message : cause}`, cause);
  }
};

/** The variables of `.env` in the working folder, which those of the process override. */
const loadEnvironment = async (): Promise<Environment> => {
  const file = await readFile('.env', 'utf8').catch(() => '');
  return { ...parseEnv(file), ...process.env };
};

/** A file of chopsticks: YAML in which variables of the environment are filled in. Throws `BadConfig`. */
export const readConfigFile = async (path: string): Promise<unknown> => {
  const source = new TextDecoder().decode(await readPlace(path));
  return parseYaml(fillIn(source, await loadEnvironment(), path), path);
};

/** A file with storage by name, without variables. Throws `BadConfig`. */
export const readStorageFile = async (path: string): Promise<unknown> =>
  parseYaml(new TextDecoder().decode(await readPlace(path)), path);
