import type { NodeOptions } from './begin.ts';
import { NodeError } from './protocol/errors.ts';

type Check = readonly [isValid: (value: unknown) => boolean, expected: string];

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

const oneOf = (...names: readonly string[]): Check => [
  (value) => names.includes(value as string),
  `expected ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`,
];
const isText = (value: unknown): boolean => typeof value === 'string';
const isAtLeastOne = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 1;
const texts: Check = [(value) => Array.isArray(value) && value.every(isText), 'expected a list of texts'];
const flag: Check = [(value) => typeof value === 'boolean', 'expected true or false'];
const object: Check = [(value) => typeof value === 'object' && value !== null, 'expected an object'];

const sealNames: readonly unknown[] = ['manual', 'instant', 'slots'];
const isSeal = (value: unknown): boolean => {
  const kind = memberOf(value, 'kind') ?? value;
  return sealNames.includes(kind) || (kind === 'interval' && isAtLeastOne(memberOf(value, 'ms')));
};

const isStorage = (value: unknown): boolean => {
  const kind = memberOf(value, 'kind');
  if (kind === 'indexeddb') return isText(memberOf(value, 'name'));
  return kind === 'sqlite' ? isText(memberOf(value, 'path')) : (kind ?? value) === 'memory';
};

const isClock = (value: unknown): boolean =>
  value instanceof Date ? value.getTime() >= 0 : value === 'chain' || value === 'wall';

const isPruning = (value: unknown): boolean =>
  isPruningMode(value) || isPruningMode(memberOf(value, 'ifNew'));

const isPruningMode = (value: unknown): boolean =>
  value === 'archive' || value === 'archive-canonical' || isAtLeastOne(value);

/**
 * Null: validated where the option is used. The same applies to the parts of `chain`, `fork` and `pool`, and to
 * the names in `rpcMethods`.
 */
const checks: Readonly<Record<keyof NodeOptions, Check | null>> = {
  chain: [
    (value) => value === 'development' || value === 'local_testnet' || object[0](value),
    'expected development, local_testnet, a specification, its URL, or { wasm }',
  ],
  fork: [object[0], 'expected { chain, endpoint, block }'],
  storage: [isStorage, "expected memory, { kind: 'indexeddb', name } or { kind: 'sqlite', path }"],
  seal: [isSeal, "expected manual, instant, slots or { kind: 'interval', ms }"],
  finality: null,
  dialect: oneOf('psp-6', 'polkadot-sdk'),
  keys: texts,
  clock: [isClock, 'expected chain, wall or a Date since 1970'],
  pool: object,
  offchainWorkers: oneOf('always', 'never', 'when-authority'),
  offchainIndexing: flag,
  offchainHttp: texts,
  blocksPruning: oneOf('archive', 'archive-canonical'),
  statePruning: [
    isPruning,
    'expected archive, archive-canonical, a number of blocks of 1 or more, or { ifNew } with one of these',
  ],
  cacheBytes: [isAtLeastOne, 'expected a number of bytes of 1 or more'],
  mockSignatures: flag,
  network: object,
  nodeKey: [
    (value) => typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value),
    'expected 32 bytes as hex with 0x',
  ],
  forceAuthoring: flag,
  trustBlocks: flag,
  rpcMethods: object,
  rpcModules: [
    (value) => Array.isArray(value) && value.every((one) => isText(one) || one instanceof URL),
    'expected a list of texts and URLs',
  ],
  signal: object,
};

/**
 * Throws `BadConfig` for options that the types would reject, because JavaScript callers have no type check.
 */
export const checkOptions = (options: NodeOptions): void => {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(checks, name))
      throw new NodeError(
        'BadConfig',
        `${name}: no such option; expected one of ${Object.keys(checks).join(', ')}`,
      );
    const check = checks[name as keyof NodeOptions];
    if (value === undefined || check === null || check[0](value)) continue;
    throw new NodeError('BadConfig', `${name}: ${check[1]}`);
  }
};
