import { isIP } from 'node:net';
import { bad } from '../cli/arguments.ts';
import { nearestName } from '../cli/nearest-name.ts';

/** Storage by pallet and item, as `dev_setStorage` takes it. */
export type NamedStorage = Readonly<Record<string, unknown>>;

/** How a value is read. Returns undefined for a value of another type. */
type Reader<T> = { readonly read: (value: unknown) => T | undefined; readonly expected: string };

const text: Reader<string> = {
  read: (value) => (typeof value === 'string' && value !== '' ? value : undefined),
  expected: 'a text',
};
const place: Reader<string> = { ...text, expected: 'the path of a file' };
const flag: Reader<boolean> = {
  read: (value) => (typeof value === 'boolean' ? value : undefined),
  expected: 'true or false',
};
const whole = (most: number, expected: string): Reader<number> => ({
  read: (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most ? value : undefined,
  expected,
});
const anything: Reader<unknown> = { read: (value) => value, expected: 'a value' };

const isObject = (value: unknown): value is NamedStorage =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const endpoints: Reader<readonly string[]> = {
  read: (value) => {
    const list = Array.isArray(value) ? (value as unknown[]) : [value];
    const isGood = list.length > 0 && list.every((one) => typeof one === 'string' && one !== '');
    return isGood ? (list as string[]) : undefined;
  },
  expected: 'the URL of a node, or a list of them',
};

const hashForm = /^0x[0-9a-f]{64}$/i;

/** A number may be written as text. Null is the finalized block. */
const block: Reader<string> = {
  read: (value) => {
    if (value === null) return 'finalized';
    if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? `${value}` : undefined;
    return typeof value === 'string' && (hashForm.test(value) || /^\d{1,10}$/.test(value))
      ? value
      : undefined;
  },
  expected: 'a block number, a hash in quotes, or nothing for the finalized block',
};

const host: Reader<string> = {
  read: (value) =>
    typeof value === 'string' && (value === 'localhost' || isIP(value) !== 0) ? value : undefined,
  expected: 'localhost or an IP address',
};

export const buildModes = { Batch: 'instant', Instant: 'instant', Manual: 'manual' } as const;

const buildMode: Reader<keyof typeof buildModes> = {
  read: (value) =>
    typeof value === 'string' && Object.hasOwn(buildModes, value)
      ? (value as keyof typeof buildModes)
      : undefined,
  expected: 'Batch, Instant or Manual',
};

const storage: Reader<string | NamedStorage | readonly unknown[]> = {
  read: (value) =>
    text.read(value) ?? (isObject(value) ? value : Array.isArray(value) ? (value as unknown[]) : undefined),
  expected: 'a map of pallets, a list of pairs of hex, or the path of a file with one of them',
};

const resume: Reader<boolean | string | number> = {
  read: (value) =>
    flag.read(value) ??
    whole(0xffff_ffff, '').read(value) ??
    (typeof value === 'string' && hashForm.test(value) ? value.toLowerCase() : undefined),
  expected: 'true, false, a block number, or a hash in quotes',
};

const items: Reader<readonly unknown[]> = {
  read: (value) => (Array.isArray(value) ? (value as unknown[]) : undefined),
  expected: 'a list of prefixes (0x…), pallets and items (Pallet.Item)',
};

/** The options of chopsticks 1.5.1, by name, with what each takes (packages/chopsticks/src/schema/index.ts). */
export const readers = {
  endpoint: endpoints,
  block,
  host,
  addr: host,
  port: whole(65_535, 'a port'),
  'build-block-mode': buildMode,
  'import-storage': storage,
  'wasm-override': place,
  'mock-signature-host': flag,
  db: place,
  'save-blocks': flag,
  resume,
  timestamp: whole(8.64e15, 'milliseconds since 1970'),
  'runtime-log-level': whole(5, 'a level from 0 (off) to 5 (trace)'),
  'offchain-worker': flag,
  'prefetch-storages': items,
  'allow-unresolved-imports': flag,
  'max-memory-block-count': whole(Number.MAX_SAFE_INTEGER, 'a number'),
  'process-queued-messages': flag,
  'registered-types': anything,
  'rpc-timeout': whole(Number.MAX_SAFE_INTEGER, 'a number of milliseconds'),
  genesis: anything,
  'chain-spec': anything,
} as const satisfies Readonly<Record<string, Reader<unknown>>>;

type Name = keyof typeof readers;

/** Options of one file or command line, each of its type. */
export type ChopsticksOptions = {
  readonly [name in Name]?: Exclude<ReturnType<(typeof readers)[name]['read']>, undefined>;
};

/** What YAML writes as nothing, which chopsticks takes as not given. */
const mayBeEmpty: readonly string[] = ['import-storage', 'prefetch-storages', 'registered-types'];

const show = (value: unknown): string => {
  const json = JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? `${one}` : one));
  return json.length > 60 ? `${json.slice(0, 60)}…` : json;
};

/** Checks options by name and type. Throws `BadConfig`; `where` says where they are written. */
export const readOptions = (given: unknown, where: string): ChopsticksOptions => {
  if (given === null || given === undefined) return {};
  if (!isObject(given)) throw bad(`${where}: expected options of chopsticks, each as "name: value"`);
  const found: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(readers, name)) {
      const names = Object.keys(readers);
      const meant = nearestName(name, names);
      const hint =
        meant === null ? `remove it, or write one of ${names.join(', ')}` : `did you mean "${meant}"?`;
      throw bad(`${where}: chopsticks has no option "${name}"; ${hint}`);
    }
    if (value === null && mayBeEmpty.includes(name)) continue;
    const { read, expected } = readers[name as Name];
    const known = read(value);
    if (known === undefined)
      throw bad(
        value === null
          ? `${where}: "${name}" is empty; write ${expected}, or remove it (an environment variable that it names may not be set)`
          : `${where}: "${name}" takes ${expected}, not ${show(value)}`,
      );
    found[name] = known;
  }
  return found as ChopsticksOptions;
};
