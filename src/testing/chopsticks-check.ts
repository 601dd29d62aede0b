import type { ApiPromise } from '@polkadot/api';

/** A pallet's name as polkadot-js spells it, or an event of it. */
export type EventFilter = string | { readonly method: string; readonly section: string };

/** What of a value changes from run to run, and is replaced before it is compared. */
export type RedactOptions = {
  /** Numbers: all of them, or only digits beyond this many significant ones. */
  readonly number?: boolean | number;
  /** 32 bytes as hex. */
  readonly hash?: boolean;
  readonly hex?: boolean;
  /** SS58 addresses. */
  readonly address?: boolean;
  readonly redactKeys?: RegExp;
  readonly removeKeys?: RegExp;
  readonly noRedactKeys?: RegExp;
  readonly overrides?: Readonly<Record<string, RedactOptions>>;
  readonly noRedact?: boolean;
};

/** `expect` of Vitest, Jest and others with snapshots. */
export type ExpectFn = (value: unknown) => {
  toMatchSnapshot(message?: string): void;
  toMatch(value: never, message?: string): void;
  toMatchObject(value: never, message?: string): void;
};

type Step = (value: never) => unknown;
type Format = 'human' | 'hex' | 'json';

/** A value on its way to an assertion; each step returns the same checker. */
export type Checker = {
  toHuman(): Checker;
  toHex(): Checker;
  /** The default. */
  toJson(): Checker;
  message(message: string): Checker;
  /** Without filters, all events. In human form. */
  filterEvents(...filters: readonly EventFilter[]): Checker;
  /** By default numbers to two significant digits, and hashes. */
  redact(options?: RedactOptions): Checker;
  map(step: Step): Checker;
  pipe(step?: (checker: Checker) => Checker): Checker;
  check(step: (value: never) => Promise<void> | void): Checker;
  value(): Promise<unknown>;
  toMatchSnapshot(message?: string): Promise<void>;
  toMatch(value: unknown, message?: string): Promise<void>;
  toMatchObject(value: unknown, message?: string): Promise<void>;
};

type Codec = {
  readonly toHuman?: () => unknown;
  readonly toHex?: () => unknown;
  readonly toJSON?: () => unknown;
};

const formatOne = (value: unknown, format: Format): unknown => {
  const codec = value as Codec | null | undefined;
  if (format === 'human') return codec?.toHuman?.() ?? value;
  return (format === 'hex' ? codec?.toHex?.() : codec?.toJSON?.()) ?? value;
};

const formatAll = (value: unknown, format: Format): unknown =>
  Array.isArray(value) ? value.map((one) => formatOne(one, format)) : formatOne(value, format);

const redactNumber = (value: number, precision: boolean | number): unknown => {
  if (typeof precision !== 'number' || precision <= 0) return '(number)';
  const rounded = Number.parseFloat(value.toPrecision(precision));
  return rounded === value ? rounded : `(rounded ${rounded})`;
};

const redactText = (text: string, { number = false, hash, hex, address }: RedactOptions): unknown => {
  const hasNumber = number !== false;
  // A u128 as hex.
  if (hasNumber && /0x000000[0-9a-f]{26}/.test(text)) return redactNumber(Number.parseInt(text, 16), number);
  if (hash === true && /0x[0-9a-f]{64}/.test(text)) return '(hash)';
  if (hex === true && /0x[0-9a-f]+/.test(text)) return '(hex)';
  if (address === true && /^[1-9A-HJ-NP-Za-km-z]{46,48}$/.test(text)) return '(address)';
  if (hasNumber && /^-?[\d,]+$/.test(text))
    return redactNumber(Number.parseInt(text.replaceAll(',', ''), 10), number);
  return text;
};

/** Deeper values are left as they are. */
const deepest = 50;

const redactValue = (value: unknown, options: RedactOptions, depth = deepest): unknown => {
  if (depth <= 0 || options.noRedact === true) return value;
  if (Array.isArray(value)) return value.map((one) => redactValue(one, options, depth - 1));
  const { number = false } = options;
  if (typeof value === 'number') return number === false ? value : redactNumber(value, number);
  if (typeof value === 'string') return redactText(value, options);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([name]) => options.removeKeys?.test(name) !== true);
  return Object.fromEntries(
    fields.map(([name, one]) => {
      if (options.noRedactKeys?.test(name) === true) return [name, one];
      const own = options.overrides?.[name];
      if (own === undefined && options.redactKeys?.test(name) === true) return [name, '(redacted)'];
      return [name, redactValue(one, own ?? options, depth - 1)];
    }),
  );
};

type HumanEvent = { readonly section: string; readonly method: string };

const pickEvents =
  (filters: readonly EventFilter[]) => (records: readonly { event: HumanEvent & { index?: unknown } }[]) => {
    const events = records.map(({ event: { index: _, ...event } }) => event);
    const passes = ({ section, method }: HumanEvent): boolean =>
      filters.length === 0 ||
      filters.some((filter) =>
        typeof filter === 'string'
          ? filter === section
          : filter.section === section && filter.method === method,
      );
    return events.filter(passes);
  };

const checkers = new WeakSet<object>();
const isChecker = (value: unknown): value is Checker =>
  typeof value === 'object' && value !== null && checkers.has(value);

const createChecker = (expectFn: ExpectFn, source: unknown, text?: string): Checker => {
  const steps: Step[] = [];
  const extra: Step[] = [];
  let format: Format = 'json';
  let message = text;
  let redaction: RedactOptions | null = null;
  const then = (change: () => void): Checker => {
    change();
    return checker;
  };
  const value = async (): Promise<unknown> => {
    let current = formatAll(await source, format);
    for (const step of steps) current = await step(current as never);
    if (redaction !== null) current = redactValue(current, redaction);
    for (const step of extra) await step(current as never);
    return current;
  };
  const setFormat = (next: Format) => (): Checker =>
    then(() => {
      format = next;
    });
  const checker: Checker = {
    toHuman: setFormat('human'),
    toHex: setFormat('hex'),
    toJson: setFormat('json'),
    message: (next) =>
      then(() => {
        message = next;
      }),
    filterEvents: (...filters) => checker.toHuman().map(pickEvents(filters) as Step),
    redact: (options = { number: 2, hash: true }) =>
      then(() => {
        redaction = options.noRedact === true ? null : { ...redaction, ...options };
      }),
    map: (step) => then(() => void steps.push(step)),
    pipe: (step) => (step === undefined ? checker : step(checker)),
    check: (step) => then(() => void extra.push(step)),
    value,
    toMatchSnapshot: async (own) => expectFn(await value()).toMatchSnapshot(own ?? message),
    toMatch: async (wanted, own) => expectFn(await value()).toMatch(wanted as never, own ?? message),
    toMatchObject: async (wanted, own) =>
      expectFn(await value()).toMatchObject(wanted as never, own ?? message),
  };
  checkers.add(checker);
  return checker;
};

type WithApi = { readonly api: ApiPromise };

/** Reads a storage item of pallets that not every chain has. */
const readItem = async ({ api }: WithApi, pallet: string, item: string): Promise<unknown> =>
  api.query[pallet]?.[item]?.();

const asType = ({ api }: WithApi, type: string, value: unknown): unknown =>
  api.createType(type, value).toJSON();

type HrmpMessage = { readonly recipient: unknown; readonly data: unknown };

/** The checks of chopsticks' testing package, with an assertion library, redaction and a further check for all. */
export const setupCheck = (options: {
  readonly expectFn: ExpectFn;
  readonly redactOptions?: RedactOptions;
  readonly extraCheck?: (value: never) => Promise<void> | void;
}) => {
  const { expectFn, redactOptions, extraCheck } = options;
  const check = (value: unknown, message?: string): Checker => {
    const checker = isChecker(value) ? value : createChecker(expectFn, value);
    if (message !== undefined) checker.message(message);
    if (redactOptions !== undefined) checker.redact(redactOptions);
    return extraCheck === undefined ? checker : checker.check(extraCheck);
  };
  return {
    check,
    checkEvents: ({ events }: { readonly events: unknown }, ...filters: readonly EventFilter[]) =>
      check(events, 'events')
        .filterEvents(...filters)
        .redact(),
    checkSystemEvents: (context: WithApi, ...filters: readonly EventFilter[]) =>
      check(readItem(context, 'system', 'events'), 'system events')
        .filterEvents(...filters)
        .redact(),
    checkUmp: (context: WithApi) =>
      check(readItem(context, 'parachainSystem', 'upwardMessages'), 'ump').map((value) =>
        asType(context, 'Vec<XcmVersionedXcm>', value),
      ),
    checkHrmp: (context: WithApi) =>
      check(readItem(context, 'parachainSystem', 'hrmpOutboundMessages'), 'hrmp').map(
        (messages: readonly HrmpMessage[]) =>
          messages.map(({ recipient, data }) => ({
            data: asType(context, '(XcmpMessageFormat, XcmVersionedXcm)', data),
            recipient,
          })),
      ),
    checkHex: (value: unknown, message?: string) => check(value, message).toHex(),
  };
};

/** The checks of chopsticks' testing package: `const { check, checkEvents } = withExpect(expect)`. */
export const withExpect = (expectFn: ExpectFn) => setupCheck({ expectFn });
