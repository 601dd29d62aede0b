import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { errorCodes } from '../../../src/protocol/errors.ts';
import { refusalText } from './refusal-text.ts';

const folder = 'worker/rpc';
const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(folder, name), 'utf8'))
  .join('\n');
const base = /namespaceBase[^{]*(\{[^}]*\})/.exec(source)?.[1] ?? '';
const codes = [
  ...source.matchAll(/\bRpcError\(\s*(-?\d+)/g),
  ...source.matchAll(/\bcode: (-?\d+)/g),
  ...source.matchAll(/\blimited\((-\d+)/g),
  ...base.matchAll(/: (\d+)/g),
].map(([, code]) => Number(code));

describe('an error of the node has a sentence that says what happened and what to do', () => {
  test('the codes are found', () => {
    expect(codes).toEqual(
      expect.arrayContaining([-32601, -32006, -32810, 1, 2, 1010, 1040, 3002, 4003, 8010]),
    );
  });

  // The text of an MMR error adds to its number.
  test.each([...new Set([...codes, 8011, 8015])])('%d', (code) => {
    expect(refusalText({ code, message: 'words' })).toMatch(/^[A-Z].+\. [A-Z].+\.$/);
  });

  test.each(Object.entries(errorCodes))('the node’s own code %s', (data, sentence) => {
    expect(refusalText({ code: 1, message: 'words', data })).toBe(sentence);
  });

  test('another error has none', () => {
    for (const error of [new Error('gone'), { code: 77 }, 'text', null]) expect(refusalText(error)).toBe('');
  });
});
