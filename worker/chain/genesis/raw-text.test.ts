import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesToText, textToBytes } from '../../bytes/bytes.ts';
import { bytesToHex } from '../../bytes/hex.ts';
import { parseChainSpec } from './parse-spec.ts';
import { findText, scanRawText } from './raw-text.ts';
import type { ChainSpec, Pairs } from './spec.ts';

const scan = (text: string): ChainSpec | null => {
  const found = scanRawText(textToBytes(text));
  if (found === null) return null;
  const { head, top, children } = found;
  return { ...parseChainSpec(bytesToText(head)), genesis: { kind: 'raw', top, children } };
};

/** As objects hold them: of equal keys the last value, at the place of the first. */
const toEntries = (pairs: Pairs): [string, string][] => [
  ...new Map(pairs.map(([key, value]) => [bytesToHex(key), bytesToHex(value)])),
];

const simplify = (spec: ChainSpec): unknown => {
  const { genesis } = spec;
  if (genesis.kind !== 'raw') return spec;
  const children = new Map(genesis.children.map(([name, pairs]) => [bytesToHex(name), toEntries(pairs)]));
  return { ...spec, genesis: { top: toEntries(genesis.top), children: [...children] } };
};

const hex = fc.uint8Array({ maxLength: 3 }).map(bytesToHex);
const pairs = fc.dictionary(hex, hex, { maxKeys: 4, noNullPrototype: true });
const spec = fc
  .tuple(
    pairs,
    fc.option(fc.dictionary(hex, pairs, { maxKeys: 2, noNullPrototype: true }), { nil: undefined }),
    fc.dictionary(fc.constantFrom('bootNodes', 'a b', 'properties', 'é'), fc.jsonValue({ maxDepth: 2 }), {
      noNullPrototype: true,
    }),
    fc.boolean(),
  )
  .map(([top, childrenDefault, more, isFirst]) => {
    const genesis = { raw: { top, ...(childrenDefault === undefined ? {} : { childrenDefault }) } };
    const named = { name: 'n', id: 'i', ...more };
    return isFirst ? { genesis, ...named } : { ...named, genesis };
  });

describe('the scanner of raw specifications', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(spec, fc.constantFrom(0, 2, '\r\n\t'), (json, space) => {
        const text = JSON.stringify(json, null, space);
        let parsed: ChainSpec;
        try {
          parsed = parseChainSpec(text);
        } catch {
          return;
        }
        const scanned = scan(text);
        expect(scanned).not.toBeNull();
        expect(simplify(scanned as ChainSpec)).toEqual(simplify(parsed));
      }),
      { numRuns: 500 },
    );
  });

  const piece = fc.constantFrom(
    ...'{}[]",:0x1fFg \\\n\u00e9',
    '"0x',
    '"raw":{',
    '"top":{"0x":"0x"}',
    '"genesis":',
  );

  it('reads no damaged text in another way than JSON.parse', () => {
    let both = 0;
    fc.assert(
      fc.property(
        spec,
        fc.array(fc.tuple(fc.nat(), fc.nat(3), piece), { minLength: 1, maxLength: 3 }),
        (json, edits) => {
          let text = JSON.stringify(json);
          for (const [at, removed, added] of edits) {
            const place = at % (text.length + 1);
            text = text.slice(0, place) + added + text.slice(place + removed);
          }
          let scanned: ChainSpec | null;
          try {
            scanned = scan(text);
          } catch {
            // Then the whole text is parsed.
            return;
          }
          if (scanned === null) return;
          both++;
          expect(simplify(scanned)).toEqual(simplify(parseChainSpec(text)));
        },
      ),
      { numRuns: 20_000 },
    );
    expect(both).toBeGreaterThan(50);
  });

  const unusual: [string, string][] = [
    ['a byte order mark', '\ufeff{"genesis":{"raw":{"top":{}}}}'],
    ['no state', '{"genesis":{"raw":{}}}'],
    ['two states', '{"genesis":{"raw":{"top":{},"top":{}}}}'],
    ['two of a genesis', '{"genesis":{"raw":{"top":{}}},"genesis":{"raw":{"top":{}}}}'],
    ['an unknown part', '{"genesis":{"raw":{"top":{},"more":{}}}}'],
    ['an odd number of digits', '{"genesis":{"raw":{"top":{"0x0":"0x"}}}}'],
    ['no 0x', '{"genesis":{"raw":{"top":{"00":"0x"}}}}'],
    ['a key with an escape', '{"g\\u0065nesis":{"raw":{"top":{}}}}'],
    ['another digit', '{"genesis":{"raw":{"top":{"0x0g":"0x"}}}}'],
    ['a text that does not end', '{"genesis":{"raw":{"top":{"0x00'],
    ['a digit at the end', '{"genesis":{"raw":{"top":{"0x0'],
    ['something behind it', '{"genesis":{"raw":{"top":{}}}} {}'],
    ['a plain form', '{"genesis":{"runtimeGenesis":{}}}'],
  ];
  it.each(unusual)('leaves a text with %s to JSON.parse', (_, text) => {
    expect(scanRawText(textToBytes(text))).toBeNull();
  });

  it('finds the id in the beginning of a file', () => {
    const find = (text: string) => findText(textToBytes(text), 'id');
    expect(find('{ "name": "a\\"b", "id": "c\\u0064", "genesis": {"raw": {')).toBe('cd');
    expect(find('\ufeff{"\\u0069d":"x"')).toBe('x');
    expect(find('{"properties": {"id": "no"}, "id": 1, "list": [1, "]"]}')).toBeNull();
    expect(find('{"name": "a", "id": "cut of')).toBeNull();
    expect(find('[]')).toBeNull();
  });
});
