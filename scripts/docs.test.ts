import { readFileSync } from 'node:fs';
import * as openRpcMeta from '@open-rpc/meta-schema';
import { Ajv } from 'ajv';
import draft7 from 'ajv/dist/refs/json-schema-draft-07.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { writeJson } from '../src/protocol/json.ts';
import { docOf } from '../src/protocol/rpc/docs/docs.ts';
import { createRoutes, rpcTable } from '../src/protocol/rpc/index.ts';
import { resultOf } from '../src/protocol/rpc/results/results.ts';
import { hasFixtures, loadFixtureLines } from '../test/rigs/fixtures.ts';
import { createOpenRpc } from './docs/openrpc.ts';
import { isExplained } from './docs/rpc-differences.ts';
import { createDocs } from './docs.ts';

type Described = { readonly schema: object; readonly name: string };
type Method = {
  readonly name: string;
  readonly params: readonly Described[];
  readonly result: Described;
  readonly 'x-aliases'?: readonly string[];
  readonly 'x-notification'?: { readonly schema: object };
};
type Document = { readonly methods: readonly Method[] };

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const document = createOpenRpc('0.0.0') as Document;
const plainOf = (value: unknown): unknown => JSON.parse(writeJson(value));

/** The meta-schema of OpenRPC; its references to JSON Schema point to draft 7. */
const createMetaCheck = () => {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const { openrpcDocument } = openRpcMeta as unknown as { openrpcDocument: Record<string, unknown> };
  const { $schema: _, ...meta } = openrpcDocument;
  ajv.addSchema({ ...draft7, $id: 'https://meta.json-schema.tools' });
  // A reference into a separate draft 7: the schema of `$ref`, which is a text.
  const text = JSON.stringify(meta).replace(
    '{"$ref":"https://meta.json-schema.tools/#/definitions/JSONSchemaObject/properties/$ref"}',
    '{"type":"string"}',
  );
  return ajv.compile(JSON.parse(text));
};

describe('the generated documents', () => {
  it.each([...createDocs()])('%s is up to date with `npm run docs -- methods`', (path, text) => {
    expect(read(path) === text, `${path} is stale: run \`npm run docs -- methods\``).toBe(true);
  });

  it('conform to the meta-schema of OpenRPC', () => {
    const check = createMetaCheck();
    check(JSON.parse(read('docs/openrpc.json')));
    expect(check.errors).toBeNull();
    expect(check({ ...document, methods: [{ name: 'a_b' }] })).toBe(false);
    expect(check({ ...document, more: 1 })).toBe(false);
  });

  it('name every method, alias and unsubscribe method once', () => {
    const names = document.methods.flatMap((method) => [method.name, ...(method['x-aliases'] ?? [])]);
    expect([...names].sort()).toEqual([...createRoutes(rpcTable).keys()].sort());
  });
});

describe('the schemas of OpenRPC', () => {
  const ajv = new Ajv({ strict: false });
  const methods = new Map(document.methods.map((method) => [method.name, method]));

  it.each(Object.keys(rpcTable))('of %s accept its example', (name) => {
    const method = methods.get(name) as Method;
    const { example } = docOf(name);
    for (const { name: param, schema } of method.params) {
      const value = example?.[param];
      const check = ajv.compile(schema);
      if (value !== undefined) expect(check(plainOf(value)) || check.errors).toBe(true);
      expect(check({ no: 'such value' }) && param !== 'mode').toBe(false);
    }
    const result = ajv.compile(method['x-notification']?.schema ?? method.result.schema);
    if (example !== undefined) expect(result(plainOf(resultOf(name).example)) || result.errors).toBe(true);
  });
});

describe.skipIf(!hasFixtures)('the names of the native node', async () => {
  type Methods = { readonly response: { readonly result: { readonly methods: readonly string[] } } };
  const recorded = hasFixtures ? await loadFixtureLines<Methods>('sdk-node/static.jsonl') : [];
  const names = recorded[0]?.response.result.methods ?? [];
  const routes = createRoutes(rpcTable);

  it('are all implemented, or listed with a reason', () => {
    expect(names.filter((name) => !routes.has(name) && !isExplained(name))).toEqual([]);
  });

  it('are not listed if they are implemented', () => {
    expect([...routes.keys()].filter((name) => isExplained(name))).toEqual([]);
    expect(names.filter((name) => isExplained(name))).toEqual([]);
  });
});
