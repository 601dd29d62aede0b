// Error texts of the native JSON decoder (serde_json, impl-serde): what was found, and what was expected. The position that it
// adds is in a text of its own, which the client does not see.

/** Carries the error text out of a parser. */
export class Refused extends Error {}

/** Refuses a value, from within a parser that was passed to `param`. */
export const refuse = (message: string): never => {
  throw new Refused(message);
};

const escapes: Readonly<Record<string, string>> = { '\t': '\\t', '\r': '\\r', '\n': '\\n', '\0': '\\0' };

/** Text as printed by Rust's `{:?}`. */
export const debugText = (text: string): string =>
  `"${text.replace(
    /["\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (sign) =>
      escapes[sign] ??
      (sign === '"' || sign === '\\' ? `\\${sign}` : `\\u{${sign.codePointAt(0)?.toString(16)}}`),
  )}"`;

/** A number as printed by Rust's ryu: plain digits from 1e-5 to 1e16, with `.0` if it is an integer. */
const floatText = (value: number): string => {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-5 || size >= 1e16)) return value.toExponential().replace('+', '');
  return Number.isInteger(value) ? `${value}.0` : `${value}`;
};

/** Whether the decoder reads the value as an integer; beyond 64 bits it reads a float. */
export const isInteger64 = (value: unknown): value is number | bigint =>
  (typeof value === 'bigint' || Number.isInteger(value)) &&
  (value as bigint) >= -0x8000_0000_0000_0000n &&
  (value as bigint) <= 0xffff_ffff_ffff_ffffn;

const found = (value: unknown): string => {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return `string ${debugText(value)}`;
  if (typeof value === 'boolean') return `boolean \`${value}\``;
  if (isInteger64(value)) return `integer \`${value}\``;
  if (typeof value === 'number' || typeof value === 'bigint')
    return `floating point \`${floatText(Number(value))}\``;
  return Array.isArray(value) ? 'sequence' : 'map';
};

export const wrongTypeText = (value: unknown, expected: string): string =>
  `invalid type: ${found(value)}, expected ${expected}`;

export const wrongType = (value: unknown, expected: string): never => refuse(wrongTypeText(value, expected));

/** Reports a value of none of the expected kinds. */
export const noValue = (): never => refuse('expected value');

export const unknownVariant = (name: string, names: readonly string[]): never => {
  const quoted = names.map((one) => `\`${one}\``);
  const expected = quoted.length === 2 ? quoted.join(' or ') : `one of ${quoted.join(', ')}`;
  return refuse(`unknown variant \`${name}\`, expected ${expected}`);
};

/** The value of an enum without contents: its name. */
export const enumText = <T extends string>(value: unknown, names: readonly T[]): T => {
  const name = names.find((one) => one === value);
  if (name !== undefined) return name;
  return typeof value === 'string' ? unknownVariant(value, names) : noValue();
};

type Parsers = Readonly<Record<string, (value: unknown) => unknown>>;

/**
 * Reads an object as the decoder does: member by member in the order given, skipping unknown ones. `nameOf`
 * maps a written name to the known one, and `isOptional` returns whether a member may be missing.
 */
export const readMembers = (
  given: object,
  parsers: Parsers,
  nameOf: (written: string) => string = (written) => written,
  isOptional: (name: string) => boolean = () => false,
): Record<string, unknown> => {
  const read: Record<string, unknown> = {};
  for (const [written, value] of Object.entries(given)) {
    const name = nameOf(written);
    const parse = Object.hasOwn(parsers, name) ? parsers[name] : undefined;
    if (parse !== undefined && Object.hasOwn(read, name)) refuse(`duplicate field \`${name}\``);
    if (parse !== undefined) read[name] = parse(value);
  }
  for (const name of Object.keys(parsers))
    if (!Object.hasOwn(read, name) && !isOptional(name)) refuse(`missing field \`${name}\``);
  return read;
};
