import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import type { Document } from 'yaml';
import { parseJson } from '../../src/protocol/json.ts';
import { bad } from '../cli/arguments.ts';
import { readTextPlace } from './place.ts';

type Environment = Readonly<Record<string, string | undefined>>;

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
    const name = dotted ?? indexed ?? '';
    return (Object.hasOwn(env, name) && env[name]) || (quoted ?? bare ?? '');
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

const faultText = ({ code, message }: { readonly code: string; readonly message: string }): string => {
  // The parser calls itself for each level, and takes the end of the stack for a fault of the text.
  if (message.includes('call stack')) return tooDeep;
  return code === 'MULTIPLE_DOCS'
    ? 'it has several documents, and one is read: remove the line ---, or the others'
    : (message.split('\n')[0] ?? '');
};

/** The first key that a map has twice. The library compares each key with each other one, which takes hours for many. */
const findTwice = (document: Document, { isScalar, visit }: typeof import('yaml')): number | null => {
  let found: number | null = null;
  visit(document, {
    Map: (_, { items }) => {
      const names = new Set<string>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        if (names.has(name) && name !== '<<') {
          found = key.range?.[0] ?? 0;
          return visit.BREAK;
        }
        names.add(name);
      }
      return undefined;
    },
  });
  return found;
};

/** Longer YAML would take gigabytes of memory. */
const longestYaml = 4 * 1024 * 1024;

/** A large file is JSON, which is read a hundred times as fast. Null: it is none. */
const tryJson = (source: string, where: string): unknown => {
  if (source.length < longestYaml / 8 || !/^[\s\ufeff]*[[{]/.test(source)) return null;
  try {
    return exact(parseJson(source.trim()));
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw bad(`${where}: ${cause instanceof Error ? cause.message : cause}`, cause);
  }
};

/**
 * Parses YAML, of which JSON is a part, as js-yaml does. Hex without quotes that is longer than a number may be is text:
 * a key or a hash is meant. Loads the library with the first file. Throws `BadConfig` with the line.
 */
export const parseYaml = async (source: string, where: string): Promise<unknown> => {
  const json = tryJson(source, where);
  if (json !== null) return json;
  if (source.length > longestYaml)
    throw bad(`${where}: more than ${longestYaml / 1024 / 1024} MiB are read as JSON only, and this is none`);
  const yaml = await import('yaml');
  const longHex = {
    tag: 'tag:yaml.org,2002:str',
    default: true,
    test: /^0x[0-9a-fA-F]{14,}$/,
    resolve: (found: string) => found,
  } as const;
  const document = yaml.parseDocument(source, {
    merge: true,
    intAsBigInt: true,
    prettyErrors: false,
    uniqueKeys: false,
    logLevel: 'error',
    customTags: (tags) => [longHex, ...tags],
  });
  const refuseAt = (at: number, text: string, cause?: unknown): never => {
    throw bad(`${where}:${source.slice(0, at).split('\n').length}: ${text}`, cause);
  };
  const [fault] = document.errors;
  if (fault !== undefined) refuseAt(fault.pos[0], faultText(fault), fault);
  const twice = findTwice(document, yaml);
  if (twice !== null) refuseAt(twice, 'Map keys must be unique');
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

/** Where chopsticks finds a configuration that is given by its name. */
const named = 'https://raw.githubusercontent.com/AcalaNetwork/chopsticks/master/configs/';

/** A file of chopsticks: YAML in which variables of the environment are filled in. Throws `BadConfig`. */
export const readConfigFile = async (path: string): Promise<unknown> => {
  const isName = /^[\w-]+$/.test(path);
  const source = await readTextPlace(
    path,
    isName ? { hint: `; chopsticks' own is ${named}${path}.yml` } : {},
  );
  return parseYaml(fillIn(source, await loadEnvironment(), path), path);
};

/** A file with storage by name, without variables. Throws `BadConfig`. */
export const readStorageFile = async (path: string): Promise<unknown> =>
  parseYaml(await readTextPlace(path, { option: 'import-storage' }), path);
