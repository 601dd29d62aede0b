/** Licenses under which others may use what an Apache-2.0 package contains, those preferred first. */
const allowed = [
  'Apache-2.0',
  'Apache-2.0 WITH LLVM-exception',
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BSL-1.0',
  'Zlib',
  'Unicode-3.0',
  'Unlicense',
  'CC0-1.0',
];

/** Any one of the outer lists may be chosen, with all licenses in it. */
type Choices = readonly (readonly string[])[];

/** Choices of `A OR (B AND C)`; also of `A/B`, as older crates write it. Throws on other forms. */
const parseExpression = (expression: string): Choices => {
  const tokens = expression.replaceAll('/', ' OR ').match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const parseOne = (): Choices => {
    if (tokens[at] === '(') {
      at += 1;
      const inner = parseOr();
      if (tokens[at] !== ')') throw new Error(`license: ${expression}`);
      at += 1;
      return inner;
    }
    const name = tokens[at] ?? '';
    at += 1;
    if (!/^\w[\w.+-]*$/.test(name)) throw new Error(`license: ${expression}`);
    if (tokens[at] !== 'WITH') return [[name]];
    at += 2;
    return [[`${name} WITH ${tokens[at - 1]}`]];
  };
  const parseAnd = (): Choices => {
    let all = parseOne();
    while (tokens[at] === 'AND') {
      at += 1;
      const next = parseOne();
      all = all.flatMap((one) => next.map((other) => [...one, ...other]));
    }
    return all;
  };
  const parseOr = (): Choices => {
    const all = [...parseAnd()];
    while (tokens[at] === 'OR') {
      at += 1;
      all.push(...parseAnd());
    }
    return all;
  };
  const all = parseOr();
  if (at < tokens.length) throw new Error(`license: ${expression}`);
  return all;
};

/** The licenses under which something is used; null if none of them is allowed. */
export const chooseLicense = (expression: string): readonly string[] | null => {
  const placeOf = (name: string): number => {
    const place = allowed.indexOf(name);
    return place < 0 ? Number.POSITIVE_INFINITY : place;
  };
  const rank = (names: readonly string[]): number => names.reduce((sum, name) => sum + placeOf(name), 0);
  const [best = []] = [...parseExpression(expression)].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  return rank(best) < Number.POSITIVE_INFINITY ? best : null;
};

/**
 * Crates that only the default runtime contains: pallet-contracts depends on them, although the runtime sends no XCM. The
 * module is data to the node, and its sources are in this repository (docs/decisions/0039).
 */
const copyleft: Readonly<Record<string, readonly string[]>> = {
  'GPL-3.0-only': [
    'polkadot-core-primitives',
    'polkadot-parachain-primitives',
    'staging-xcm',
    'staging-xcm-builder',
    'staging-xcm-executor',
  ],
};

/** As `chooseLicense`, with the crates of the runtime that are known to be copyleft. */
export const licenseOfRuntimeCrate = (name: string, expression: string): readonly string[] | null =>
  copyleft[expression]?.includes(name) ? [expression] : chooseLicense(expression);
