import { describe, expect, it } from 'vitest';
import { NodeError } from '../../src/protocol/errors.ts';
import { createLogFilter } from './log-filter.ts';

const [error, warn, info, debug, trace] = [0, 1, 2, 3, 4] as const;

describe('a log filter', () => {
  it('passes what its base passes', () => {
    const filter = createLogFilter('info');
    expect([error, warn, info, debug, trace].map((level) => filter.allows('runtime', level))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(filter.maxLevel()).toBe(3);
  });

  it('accepts levels for all targets and for some; the longest target wins, then the last directive', () => {
    const filter = createLogFilter('info');
    filter.add('runtime=debug,runtime::system=off');
    expect(filter.allows('runtime::balances', debug)).toBe(true);
    expect(filter.allows('runtime::system', error)).toBe(false);
    expect(filter.allows('author', debug)).toBe(false);
    expect(filter.maxLevel()).toBe(4);
    filter.add('WARN, runtime::system=5');
    expect(filter.allows('author', info)).toBe(false);
    expect(filter.allows('runtime::system', trace)).toBe(true);
    expect(filter.maxLevel()).toBe(5);
    filter.add('author');
    expect(filter.allows('author', trace)).toBe(true);
  });

  it('resets to its initial directives', () => {
    const filter = createLogFilter('info,author=debug');
    filter.add('off');
    expect(filter.maxLevel()).toBe(4);
    filter.add('author=off');
    expect(filter.maxLevel()).toBe(0);
    filter.reset();
    expect(filter.allows('author', debug)).toBe(true);
    expect(filter.allows('runtime', info)).toBe(true);
  });

  it.each(['==', 'a=b=c', 'runtime=loud', '=info', 'info,,=', 'runtime[span]=info', 'a b=info'])(
    'refuses %s and changes nothing',
    (directives) => {
      const filter = createLogFilter('info');
      expect(() => filter.add(`error,${directives}`)).toThrow(NodeError);
      expect(filter.allows('runtime', info)).toBe(true);
    },
  );

  it('is bounded', () => {
    const filter = createLogFilter('info');
    const many = (from: number): string =>
      Array.from({ length: 99 }, (_, index) => `t${from + index}=info`).join(',');
    filter.add(many(0));
    filter.add(many(0));
    expect(() => filter.add(many(99))).toThrow(NodeError);
  });
});
