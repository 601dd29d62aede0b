import { describe, expect, it } from 'vitest';
import { parseImportArguments, parseSeal, parseServeArguments } from './arguments.ts';

describe('serve', () => {
  it('has the defaults that the help tells', () => {
    expect(parseServeArguments([])).toEqual({
      chain: 'development',
      preset: null,
      basePath: undefined,
      finality: { kind: 'instant' },
      json: false,
      keys: ['//Alice'],
      seal: { kind: 'interval', ms: 2000 },
      dialect: 'psp-6',
      wsPort: 9944,
      rpcPort: 9933,
    });
  });

  it('holds the keys of the named accounts only', () => {
    expect(parseServeArguments(['--bob', '--ferdie']).keys).toEqual(['//Bob', '//Ferdie']);
  });

  it('keeps --dev in memory unless told where to keep it', () => {
    expect(parseServeArguments(['--dev']).basePath).toBeNull();
    expect(parseServeArguments(['--dev', '--base-path', 'data']).basePath).toBe('data');
    expect(parseServeArguments(['--tmp']).basePath).toBeNull();
  });

  it.each([
    ['--no-such-flag'],
    ['extra'],
    ['--ws-port=65536'],
    ['--ws-port=x'],
    ['--rpc-port='],
    ['--seal=sometimes'],
    ['--finality=grandpa'],
    ['--dialect=sdk'],
    ['--tmp', '--base-path', 'data'],
    ['--dev', '--chain', 'local_testnet'],
    ['--chain'],
  ])('refuses %s %s', (...args) => {
    expect(() => parseServeArguments(args)).toThrow(expect.objectContaining({ code: 'BadConfig' }));
  });
});

describe('seal modes', () => {
  it.each([
    ['manual', { kind: 'manual' }],
    ['instant', { kind: 'instant' }],
    ['slots', { kind: 'slots' }],
    ['interval', { kind: 'interval', ms: 2000 }],
    ['interval:250', { kind: 'interval', ms: 250 }],
  ])('%s', (text, mode) => {
    expect(parseSeal(text)).toEqual(mode);
  });

  it.each(['interval:0', 'interval:', 'interval:-1', 'Manual'])('refuses %s', (text) => {
    expect(() => parseSeal(text)).toThrow(text);
  });
});

describe('import-blocks', () => {
  it('takes one file', () => {
    expect(parseImportArguments(['--tmp', 'blocks.jsonl'])).toMatchObject({
      file: 'blocks.jsonl',
      basePath: null,
    });
    expect(() => parseImportArguments([])).toThrow('one FILE');
    expect(() => parseImportArguments(['a', 'b'])).toThrow('one FILE');
  });
});
