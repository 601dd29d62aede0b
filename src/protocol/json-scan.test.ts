import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createScan, type ScanEnd, type ScanOptions } from './json-scan.ts';

const free: ScanOptions = { maxCost: Number.POSITIVE_INFINITY, maxParts: Number.POSITIVE_INFINITY };

/** The texts of the parts, or how the scan ended otherwise. `steps` are used in turn. */
const scan = (
  text: string,
  steps: readonly number[] = [16_384],
  limits = free,
): readonly string[] | ScanEnd => {
  const one = createScan(text, limits);
  let end: ScanEnd | null = null;
  for (let turn = 0; end === null; turn += 1) end = one.step(steps[turn % steps.length] as number);
  return end === 'whole' ? one.parts.map(({ from, to }) => text.slice(from, to)) : end;
};

/** What the text says, read by its parts; undefined if it is not valid. */
const readByParts = (text: string, steps?: readonly number[]): unknown => {
  const parts = scan(text, steps);
  if (typeof parts === 'string') return undefined;
  try {
    if (text.startsWith('{')) return JSON.parse(parts[0] as string);
    return parts.map((part) => JSON.parse(part) as unknown);
  } catch {
    return undefined;
  }
};

const readWhole = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

const space = fc.constantFrom('', ' ', '\n', '\t \r\n');
const string = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[[\]{},:"\\]{0,6}$/),
    fc.constantFrom('\\', '"', '\\"', '"]'),
  )
  .map((text) => JSON.stringify(text));
const number = fc.constantFrom('0', '-0', '1.5e300', '12345678901234567890', '-7');
const { value } = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'xsmall' },
    string,
    number,
    fc.constantFrom('true', 'null'),
    tie('list'),
    tie('object'),
  ),
  list: fc
    .tuple(fc.array(tie('value')), space)
    .map(([items, gap]) => `[${gap}${items.join(`${gap},${gap}`)}${gap}]`),
  object: fc
    // Names are unique: of duplicate ones, V8 does not always use the last.
    .tuple(fc.uniqueArray(fc.tuple(string, tie('value')), { selector: ([name]) => name }), space)
    .map(([items, gap]) => `{${items.map(([name, item]) => `${name}${gap}:${item}`).join(`,${gap}`)}${gap}}`),
}));
const root = fc
  .tuple(fc.array(value), fc.boolean(), space)
  .map(([items, isList, gap]) =>
    isList ? `[${items.join()}]${gap}` : `{${items.map((item, at) => `"k${at}":${item}`).join()}}${gap}`,
  );
const steps = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
const runs = { seed: 7, numRuns: 1000 };

describe('a scan', () => {
  it('finds the elements that JSON.parse reads, wherever its steps end', () => {
    fc.assert(
      fc.property(root, steps, (text, cuts) => {
        expect(readByParts(text, cuts)).toEqual(JSON.parse(text));
      }),
      runs,
    );
  });

  it('takes no text for valid that JSON.parse refuses', () => {
    const damage = fc.record({
      at: fc.nat(),
      length: fc.nat(2),
      by: fc.stringMatching(/^[[\]{},:"\\0 ]{0,2}$/),
    });
    fc.assert(
      fc.property(root, steps, damage, (text, cuts, { at, length, by }) => {
        const from = 1 + (at % text.length);
        const damaged = text.slice(0, from) + by + text.slice(from + length);
        expect(readByParts(damaged, cuts)).toEqual(readWhole(damaged));
      }),
      runs,
    );
  });

  it.each(['[', '[[]', '[1}', '{]', '[1],', '{}{}', '["', '["\\', '[]\f', '[1]]', '[\u00a0]', '[,]'])(
    'refuses %j',
    (text) => {
      expect(readByParts(text)).toBeUndefined();
      expect(readByParts(text, [1])).toBeUndefined();
    },
  );

  it.each<[string, number]>([
    ['[1,2,3]', 0],
    ['[[],[1]]', 1],
    ['[[1,2,3],[4]]', 3],
    ['{"a":1}', 11],
    ['{"a":1,"b":2}', 22],
    ['[{"a":1},{"a":2},{"a":[{"a":3}]}]', 11],
    ['[{"a":[{"a":3}]}]', 14],
    ['{"a":"[,{:\\"[,{:"}', 12],
    ['[["ab","cd"]]', 4],
    ['[["0x00000000000"]]', 1],
    ['[123456789012345,1]', 0],
    ['[1234567890123456,1]', 10],
    [`{"${'n'.repeat(200)}":1,"a":{"${'n'.repeat(200)}":1}}`, 33],
  ])('%j costs %i', (text, cost) => {
    expect(scan(text, [1], { ...free, maxCost: cost })).not.toBe('tooCostly');
    expect(scan(text, [1], { ...free, maxCost: cost - 1 })).toBe('tooCostly');
  });

  it('counts a name once as new, up to a hundred names', () => {
    const objects = (many: number) => `[[${Array.from({ length: many }, (_, at) => `{"${at % 200}":0}`)}]]`;
    const plain = (many: number): number => 1 + many + (many - 1);
    expect(scan(objects(100), [99], { ...free, maxCost: plain(100) + 1000 })).toHaveLength(1);
    expect(scan(objects(400), [99], { ...free, maxCost: plain(400) + 3000 + 100 })).toHaveLength(1);
    expect(scan(objects(400), [99], { ...free, maxCost: plain(400) + 3000 + 99 })).toBe('tooCostly');
  });

  it('ends early at a limit', () => {
    const text = `[[${'[],'.repeat(100)}[]],${'0,'.repeat(1000)}`;
    const costly = createScan(text, { ...free, maxCost: 50 });
    expect(costly.step(90)).toBe('tooCostly');
    const many = createScan(`[${'0,'.repeat(1000)}`, { ...free, maxParts: 10 });
    expect(many.step(21)).toBe('tooMany');
  });
});
