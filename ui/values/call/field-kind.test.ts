import { expect, it } from 'vitest';
import { entryOf } from '../../../src/protocol/rpc/index.ts';
import { fieldKind } from './field-kind.ts';

/** The input for a parameter of a method. */
const inputOf = (method: string, name: string) => {
  const param = entryOf(method)?.params[name];
  if (param === undefined) throw new Error(`${method} has no ${name}`);
  return fieldKind(method, { name, kind: param.kind, optional: param.isOptional });
};

it.each([
  ['dev_runBlock', 'block', 'block'],
  ['dev_setBlockBuildMode', 'mode', 'choice'],
  ['dev_setRuntimeLogLevel', 'level', 'number'],
  ['dev_getReadProof', 'keys', 'keys'],
  ['state_getStorage', 'key', 'key'],
  ['dev_setStorage', 'values', 'json'],
] as const)('%s has an input for its %s: %s', (method, name, kind) => {
  expect(inputOf(method, name)).toBe(kind);
});
