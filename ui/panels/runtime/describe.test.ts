import { beforeAll, describe, expect, it } from 'vitest';
import { apiId } from '../../../src/scale/hash.ts';
import { createMetaLoader } from '../../../src/scale/load.ts';
import { createRuntimeMeta } from '../../../src/scale/runtime.ts';
import type { RuntimeMeta } from '../../../src/scale/types.ts';
import { createTestPlatform, testConfig } from '../../../test/rigs/platform.ts';
import { openPort } from '../../../test/rigs/ports.ts';
import { createNode } from '../../../worker/node.ts';
import { docsLine, readDocs } from '../../kit/text/docs.ts';
import { encodeArguments, readAnswer } from './api-call.ts';
import { namesById } from './api-names.ts';
import { describePallet, eventType, listAll, searchAll } from './describe.ts';
import { findType, typeParts } from './types.ts';

let meta: RuntimeMeta;
let old: RuntimeMeta;
let apis: readonly (readonly [string, number])[];

beforeAll(async () => {
  const node = await createNode(createTestPlatform(), testConfig('development'));
  const port = openPort(node);
  const request = (method: string, params: readonly unknown[]) => port.request(method, [...params]);
  meta = await createMetaLoader({ request }).at(null);
  old = createRuntimeMeta(Buffer.from(String(await request('state_getMetadata', [])).slice(2), 'hex'));
  ({ apis } = (await request('state_getRuntimeVersion', [])) as { apis: [string, number][] });
  port.shut();
  await node.close();
});

const pallet = (of: RuntimeMeta, name: string) => {
  const found = of.pallet(name);
  if (found === null) throw new Error(`no pallet ${name}`);
  return describePallet(of, found);
};

describe('the names of runtime APIs', () => {
  it('match the ids in the runtime version, with and without metadata that names them', () => {
    expect(old.metadata.apis).toEqual([]);
    for (const of of [meta, old]) {
      const names = namesById(of);
      expect(apis.map(([id]) => names.get(id) ?? id).filter((name) => name.startsWith('0x'))).toEqual([]);
    }
    expect(new Set(apis.map(([id]) => namesById(meta).get(id)))).toEqual(
      new Set(meta.metadata.apis.map(({ name }) => name)),
    );
  });

  it('are known of chains with Ethereum accounts and of debugging, too', () => {
    const names = 'EthereumRuntimeRPCApi ConvertTransactionRuntimeApi DebugRuntimeApi RootTestingApi'.split(
      ' ',
    );
    expect(names.map((name) => namesById(null).get(apiId(name)))).toEqual(names);
  });
});

describe('the description of a pallet', () => {
  it('is the same for V14 and V16', () => {
    expect(meta.version).toBe(16);
    expect(old.version).toBe(14);
    for (const { name } of meta.metadata.pallets) {
      const names = (of: RuntimeMeta) => {
        const { calls, errors, events, constants } = pallet(of, name);
        return [calls, errors, events, constants].map((items) => items.map((item) => item.name));
      };
      expect(names(old)).toEqual(names(meta));
    }
  });

  it('has fields with types, indices and docs', () => {
    const { calls, errors, storage } = pallet(meta, 'Balances');
    const call = calls.find(({ name }) => name === 'transfer_keep_alive');
    expect(call).toMatchObject({ index: 3, docs: expect.stringContaining('will not\nkill the origin') });
    expect(call?.fields.map(({ name, text }) => `${name}: ${text}`)).toEqual([
      'dest: MultiAddress<AccountId32, ()>',
      'value: Compact<u128>',
    ]);
    expect(errors.find(({ name }) => name === 'InsufficientBalance')?.docs).toMatch(/Balance too low/);
    expect(storage.find(({ name }) => name === 'Account')?.fields[0]?.text).toMatch(
      /^\(AccountId32\) → AccountData/,
    );
  });

  it('is found by words in names first, then in docs', () => {
    const all = listAll(meta);
    const found = searchAll(all, 'transfer keep');
    expect(found[0]?.name).toBe('Balances.transfer_keep_alive');
    expect(found.some(({ name }) => name === 'Assets.transfer_keep_alive')).toBe(true);
    expect(searchAll(all, 'sender origin must signed').length).toBeGreaterThan(0);
    expect(searchAll(all, '  ')).toEqual([]);
    expect(searchAll(all, 'a').length).toBeGreaterThan(200);
  });
});

describe('types', () => {
  it('are found by number, path and name', () => {
    const id = findType(meta, 'sp_weights::weight_v2::Weight');
    expect(id).not.toBe(null);
    expect(findType(meta, 'Weight')).toBe(id);
    expect(findType(meta, String(id))).toBe(id);
    expect(findType(meta, '99999')).toBe(null);
    expect(findType(meta, 'NoSuchType')).toBe(null);
    const weight = meta.metadata.lookup[id ?? 0];
    expect(weight && typeParts(weight).map(({ label }) => label)).toEqual(['ref_time', 'proof_size']);
    for (const of of [meta, old]) expect(of.typeName(eventType(of) ?? -1)).toMatch(/Event$/);
  });

  it('have a line for each variant; one field without a name is in it', () => {
    const labelsOf = (name: string) => {
      const type = meta.metadata.lookup[findType(meta, name) ?? 0];
      return type === undefined ? [] : typeParts(type);
    };
    const [system] = labelsOf('RuntimeCall');
    expect([system?.label, meta.typeName(system?.type ?? 0)]).toEqual([' 0 System', 'Call']);
    expect(labelsOf('RuntimeCall').every(({ type }) => type !== null)).toBe(true);
    expect(labelsOf('MultiAddress<AccountId32, ()>').map(({ label }) => label)).toContain(' 0 Id');
    const named = labelsOf('frame_system::pallet::Call').map(({ label }) => label);
    expect(named.slice(0, 2)).toEqual([' 0 remark', '   remark']);
  });
});

describe('docs', () => {
  const written = (docs: string) =>
    readDocs(docs).map(({ kind, parts }) => [
      kind,
      parts.map(({ text, isCode }) => (isCode ? `<${text}>` : text)).join(''),
    ]);

  it('lose the markup of rustdoc, and keep the text', () => {
    const docs = [
      ' Same as [`Call::transfer`] but `safer`,',
      ' see [here](https://x.y), [Foo::bar], [`Pallet`](struct.Pallet.html) and **all** _or some_ of [the `rest`][1].',
      '',
      ' # Errors',
      ' - one',
      '   goes on',
      ' 2. two',
      ' ```ignore',
      '  let a = [`x`](y);',
      '',
      '    a',
      ' ```',
      ' [1]: https://x.y',
      ' \\[who, amount\\] and array[0], <b>no HTML</b>',
    ].join('\n');
    expect(written(docs)).toEqual([
      [
        'text',
        'Same as <Call::transfer> but <safer>, see here, <Foo::bar>, <Pallet> and all or some of the <rest>.',
      ],
      ['heading', 'Errors'],
      ['item', '• one goes on'],
      ['item', '2. two'],
      ['code', '<let a = [`x`](y);\n\n  a>'],
      ['text', '[who, amount] and array[0], <b>no HTML</b>'],
    ]);
    expect(docsLine(docs)).toMatch(/^Same as Call::transfer but safer, .* of the rest\.$/);
    expect(docsLine('')).toBe('');
  });

  it('of the whole runtime contain no markup', () => {
    const words = listAll(meta).flatMap(({ docs }) =>
      readDocs(docs).flatMap(({ parts }) => parts.flatMap(({ text, isCode }) => (isCode ? [] : [text]))),
    );
    expect(words.length).toBeGreaterThan(500);
    expect(words.filter((text) => /`|\]\(|^#|\[[A-Z]\w*\]/.test(text))).toEqual([]);
  });
});

describe('a call of a runtime API', () => {
  it('encodes its arguments and decodes its answer, or says why it cannot', () => {
    const api = meta.metadata.apis.find(({ name }) => name === 'AccountNonceApi');
    const method = api?.methods[0];
    if (method === undefined) throw new Error('no method');
    const alice = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
    expect(encodeArguments(meta, method, [alice])).toMatch(/^0xd43593c7[0-9a-f]{56}$/);
    expect(() => encodeArguments(meta, method, [''])).toThrow();
    expect(readAnswer(meta, method.output, '0x05000000').value).toMatchObject({ value: 5 });
    expect(readAnswer(meta, method.output, '0x0500')).toMatchObject({
      value: null,
      fault: expect.any(String),
    });
  });
});
