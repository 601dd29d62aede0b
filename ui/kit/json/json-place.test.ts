import { describe, expect, it } from 'vitest';
import { type JsonMark, readPath } from './json-mark.ts';
import { markRange, namesAt, placeAt } from './json-place.ts';

/** The part of a text that a mark underlines. */
const marked = (text: string, path: JsonMark['path'], message = 'wrong'): string => {
  const { from, to } = markRange(text, { path, text: message, tone: 'bad' });
  return text.slice(from, to);
};

describe('an error is underlined where it is', () => {
  it.each([
    ['["a,]", {"b": [1, 2]}, 3]', [1], '{"b": [1, 2]}'],
    ['["a,]", {"b": [1, 2]}, 3]', [1, 'b', 1], '2'],
    // Bare values are the items of a list.
    ['"a,]", {"b": 1}, 3', [0], '"a,]"'],
    ['"a,]", {"b": 1}, 3', [2], '3'],
    ['{"hash": "0x", "n": 1}', ['hash'], '"0x"'],
    // Of a value that is missing, what it is missing from.
    ['[{"a": 1}]', [0, 'b'], '{"a": 1}'],
    ['[1]', [1], '[1]'],
    ['{"a": 1}', [], '{"a": 1}'],
  ])('%s at %j: %s', (text, path, shown) => {
    expect(marked(text, path)).toBe(shown);
  });

  it.each([
    ['[1, x]', 'Unexpected token', 'x'],
    ['1, x', 'Unexpected token', 'x'],
    ['{"a": 1,}', 'Expected double-quoted property name', '}'],
    ['[1, // one\n2]', 'Unexpected token', '// one'],
    ['["0x26",', 'Unexpected end of JSON input', ','],
    // Valid JSON that is not accepted.
    ['{"a": 1e400}', '1e400 would lose digits when sent.', '1e400'],
    ['{"nam": 1}', 'This method has no parameter "nam".', '"nam"'],
    ['{"a": 1}', 'no reason', '{"a": 1}'],
  ])('%s has an error in its syntax: %s', (text, message, shown) => {
    expect(marked(text, null, message)).toBe(shown);
  });

  it('of no text, and of a value that is nested too deep, all is', () => {
    expect(markRange('', { path: null, text: 'empty', tone: 'bad' })).toEqual({ from: 0, to: 0 });
    const deep = '['.repeat(100_000);
    expect(marked(deep, [0])).toBe(deep);
    expect(placeAt(deep, deep.length)).toBeNull();
  });

  it('a message that begins with a path names the place', () => {
    expect(readPath('calls[3].dest.Id: enter an SS58 address')).toEqual(['calls', 3, 'dest', 'Id']);
    expect(readPath('[0].a: expected a list')).toEqual([0, 'a']);
    expect(readPath('Enter a whole number: 5')).toEqual([]);
    expect(readPath('Expected fields: a, b')).toEqual([]);
  });
});

describe('a position is known in JSON that is not complete', () => {
  it.each([
    ['[|', [0], false],
    ['["a", |', [1], false],
    ['"a", |', [1], false],
    ['[{"co|', [0, 'co'], true],
    ['{"a": 1, |', [''], true],
    ['{"a": [1, t|', ['a', 1], false],
  ] as const)('%s', (text, path, isName) => {
    const at = text.indexOf('|');
    expect(placeAt(text.replace('|', ''), at)).toMatchObject({ path, isName });
  });

  it('a string without its end is replaced up to the position, a whole one with its quotes, a word from its start', () => {
    expect(placeAt('[{"co]', 5)?.token).toEqual({ from: 2, to: 5 });
    expect(placeAt('{"count": 1}', 3)?.token).toEqual({ from: 1, to: 8 });
    expect(placeAt('[tr', 3)?.token).toEqual({ from: 1, to: 3 });
  });

  it('the names that an object has are read although it is not closed', () => {
    expect(namesAt('[{"count": 1, "to": ', [0])).toEqual(['count', 'to']);
    expect(namesAt('[1', [0])).toEqual([]);
  });
});
