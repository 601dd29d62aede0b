import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createBoundedMap } from './bounded-map.ts';

const limit = 4;
const key = fc.nat(7);
const step = fc.oneof(
  fc.record({ kind: fc.constantFrom('get', 'has', 'delete'), key }),
  fc.record({ kind: fc.constant('keep'), key, value: fc.nat(99) }),
  fc.constant({ kind: 'clear', key: 0 }),
);

it('keeps the most recently used entries, like a list in order of use', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const map = createBoundedMap<number, number>(limit);
      let list: (readonly [number, number])[] = [];
      for (const one of steps) {
        const found = list.find(([other]) => other === one.key);
        const rest = list.filter(([other]) => other !== one.key);
        if (one.kind === 'get') {
          expect(map.get(one.key)).toBe(found?.[1]);
          if (found !== undefined) list = [...rest, found];
        } else if (one.kind === 'has') expect(map.has(one.key)).toBe(found !== undefined);
        else if (one.kind === 'delete') {
          expect(map.delete(one.key)).toBe(found !== undefined);
          list = rest;
        } else if (one.kind === 'clear') {
          map.clear();
          list = [];
        } else {
          const value = (one as { value: number }).value;
          map.keep(one.key, value);
          list = [...rest, [one.key, value] as const].slice(-limit);
        }
        expect(map.size).toBe(list.length);
      }
      for (const [other, value] of list) expect(map.get(other)).toBe(value);
    }),
    { seed: 25 },
  );
});
