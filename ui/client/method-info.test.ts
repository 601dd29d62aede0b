import { describe, expect, test } from 'vitest';
import type { Entry, ParamKind } from '../../src/protocol/rpc/define.ts';
import { rpcTable } from '../../src/protocol/rpc/index.ts';
import { callRefusalText } from './call-refusal.ts';
import { createMethodFinder } from './method-info.ts';

const find = createMethodFinder();

describe('arguments that the node refuses', () => {
  test('a missing argument is told by name, with what it takes', () => {
    expect(find('state_getKeysPaged')?.check(['0x26', 2])).toEqual([]);
    expect(find('state_getKeysPaged')?.check([])).toEqual([
      { index: 1, text: 'count is required: a whole number, 0 or greater, such as 1', words: '' },
    ]);
  });

  test('an example that is a hash is shortened: it would fill two lines', () => {
    expect(find('chain_getBlock')?.check(['0x12'])[0]?.text).toMatch(/such as "0x\w{4}…\w{4}"$/);
  });

  const params = Object.entries<Entry>(rpcTable).flatMap(([method, entry]) =>
    Object.entries(entry.params).map(([name, param], index) => ({ method, name, index, param })),
  );
  /** Wrong values that someone may well enter; each kind also refuses the object. */
  const wrong: Partial<Readonly<Record<ParamKind, readonly unknown[]>>> = {
    account: [5],
    amount: [-1, '1e3', 1.5],
    blockNumbers: [1, [-1]],
    boolean: ['true'],
    bytes: ['0xzz', 5],
    bytesList: ['0x00', ['0xzz']],
    hash: ['0xabc', 1],
    hashes: ['0xabc', [1]],
    headTarget: ['0xabc'],
    height: ['five', -1],
    text: [null, 7],
    u32: ['abc', -1, 1.5],
  };
  test.each(params)('$method: a wrong $name is told in plain words, with an example', (of) => {
    const info = find(of.method);
    const before: readonly unknown[] = Array.from({ length: of.index }, () => undefined);
    for (const value of [{ zz: 1 }, ...(wrong[of.param.kind] ?? [])]) {
      if (of.param.isOptional && value === null) continue;
      const fault = info?.check([...before, value]).find(({ index }) => index === of.index);
      expect(fault?.text).toMatch(new RegExp(`^${of.name}: expected `));
      expect(fault?.text).not.toMatch(/untagged|invalid|variant|struct|sequence|digit|line 1/);
      if (of.param.kind !== 'text') expect(fault?.text).toMatch(/, such as \S/);
      expect(fault?.words).not.toBe('');
    }
  });

  test('of a call that was refused, what the node looks into by itself is told', () => {
    const textsOf = (method: string, ...args: readonly unknown[]) =>
      find(method)
        ?.check(args, true)
        .map(({ text }) => text);
    expect(textsOf('system_accountNextIndex', '5Grw')).toEqual([
      expect.stringMatching(/^account: expected an address \(SS58, or 32 bytes of hex\), such as "5/),
    ]);
    expect(textsOf('dev_fund', '5Grw', 1)).toHaveLength(1);
    // A node of the SDK takes no lists.
    expect(textsOf('state_getStorage', [1, 2])).toEqual([
      expect.stringMatching(/^key: expected bytes as hex/),
    ]);
    expect(textsOf('chain_getBlock', null)).toEqual([]);
  });
});

describe('the refusal of a call', () => {
  const textOf = (code: number, message: string, data?: string, ...args: readonly unknown[]) =>
    callRefusalText(find('state_getStorage'), args, { code, message, data });

  test('begins with the reason, if that is a sentence', () => {
    expect(textOf(1010, 'Invalid Transaction', 'Transaction is outdated')).toBe(
      'Transaction is outdated. The transaction is not valid. Check the nonce, the signature and the balance of the signer.',
    );
    expect(textOf(1, 'There is no block #99', 'UnknownBlock')).toBe(
      'There is no block #99. The block is not known.',
    );
    expect(textOf(1, 'The block is not known.', 'UnknownBlock')).toBe('The block is not known.');
    for (const data of [`Execution aborted due to trap: ${'x'.repeat(100)}`, 'LeafNotFound', undefined])
      expect(textOf(1002, 'words', data)).toMatch(/^The runtime could not/);
    expect(textOf(77, 'words', 'Transaction is outdated')).toBe('');
  });

  test('of wrong arguments names them, and what they are', () => {
    const words = ['Invalid params', 'invalid type: integer `5`, expected a string'] as const;
    expect(textOf(-32602, ...words, 5)).toMatch(/^Parameter key: expected bytes/);
    const hash = callRefusalText(find('chain_getHeader'), [5], { code: -32602 });
    expect(hash).toMatch(/^Parameter hash: expected a hash \(32 bytes of hex\), such as "0x\w{4}…\w{4}"\.$/);
    expect(textOf(-32602, ...words, '0x01')).toMatch(/^The parameters are not valid/);
  });

  test('refers to no example: a subscription has none', () => {
    expect(textOf(-32602, '', '', '0x01')).not.toContain('example');
  });
});
