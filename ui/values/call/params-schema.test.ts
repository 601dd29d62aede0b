import { describe, expect, it } from 'vitest';
import { paramSchemas } from '../../../src/protocol/rpc/params/schemas.ts';
import { schemasAt, suggestAt } from '../../kit/json/json-suggest.ts';
import { createMethodFinder } from '../../node/client/method-info.ts';
import { membersOf, wordsOf } from './field-kind.ts';
import { type KnownValues, paramsSchema } from './params-schema.ts';

const find = createMethodFinder();
const known: KnownValues = {
  accounts: [{ name: 'Alice', value: '5Grw' }],
  blocks: [{ name: 'best block', value: '0xbe' }],
};

/** What is suggested at `|` in the params of a method, as it would be entered. */
const suggested = (method: string, marked: string): readonly string[] | undefined => {
  const info = find(method);
  if (info === null) throw new Error(`no method ${method}`);
  const at = marked.indexOf('|');
  const found = suggestAt(paramsSchema(info, known), marked.replace('|', ''), at);
  return found?.list.map(({ label, text }) => (label === text ? text : `${label}=${text}`));
};

describe('what the JSON editor suggests follows the method table', () => {
  it.each([
    ['state_getKeysPaged', '|', ['Example=["0x3a",1]']],
    ['chain_getHeader', '[|', ['best block="0xbe"', 'null']],
    ['chain_getHeader', '{"|', ['hash']],
    ['chain_getHeader', '{"hash": |', ['best block="0xbe"', 'null']],
    ['system_accountNextIndex', '["A|', ['Alice="5Grw"']],
    // Without brackets.
    ['engine_createBlock', 'true, |', ['true', 'false']],
    ['dev_newBlock', '[{"count": 1, |', ['to', 'parent', 'transactions', 'finalize', 'report']],
    ['dev_newBlock', '[{"finalize": |', ['true', 'false']],
    ['dev_newBlock', '[{"co|unt": 1}]', ['count', 'to', 'parent', 'transactions', 'finalize', 'report']],
    ['dev_setSealMode', '[|', ['manual', 'instant', 'slots']],
    ['dev_setSealMode', '[{"kind": "|', ['manual', 'instant', 'slots', 'interval']],
    ['archive_v1_storageDiff', '["0x", [{"|', ['key', 'returnType', 'childTrieKey']],
    ['dev_newBlock', '[1, 2, |', null],
    ['state_getStorage', '["0x|"]', null],
  ])('%s %s', (method, text, list) => {
    const names = suggested(method, text)?.map((one) => one.replace(/^(\w+)="\1"$/, '$1'));
    if (list === null) expect(names).toBeUndefined();
    else expect(names).toEqual(expect.arrayContaining(list as string[]));
  });

  it('a name says what it takes, and replaces what is there', () => {
    const info = find('dev_newBlock');
    const found = info && suggestAt(paramsSchema(info, known), '[{"co": 1}]', 4);
    expect(found).toMatchObject({ from: 2, to: 6 });
    expect(found?.list[0]).toMatchObject({ text: '"count"', detail: 'integer', isName: true });
  });

  it('forms and schemas know the same words, and no form has a member that its schema has not', () => {
    for (const kind of Object.keys(paramSchemas) as (keyof typeof paramSchemas)[]) {
      const schemas = schemasAt(paramSchemas[kind], []);
      const names = schemas.flatMap(({ properties = {} }) => Object.keys(properties));
      expect(names, kind).toEqual(expect.arrayContaining(membersOf(kind).map(({ name }) => name)));
      const words = schemas.flatMap(({ type, enum: all = [] }) => (type === 'boolean' ? [true, false] : all));
      if (wordsOf(kind).length > 0) expect([...wordsOf(kind)].sort(), kind).toEqual([...words].sort());
    }
  });
});
