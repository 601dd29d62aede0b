import { describe, expect, it, test } from 'vitest';
import { findFault, hashSources, type ModuleName, modules, readCommitted } from './build-modules.mjs';

describe.each(Object.keys(modules) as ModuleName[])('the module of crates/%s', (name) => {
  const { manifest, module } = readCommitted(name);

  it('was built from the current sources (otherwise run node scripts/build-modules.mjs)', () => {
    expect(findFault(manifest, module, hashSources(name))).toBeNull();
  });

  it('is recognized as old after a change of its sources', () => {
    const other = hashSources(name).replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    expect(findFault(manifest, module, other)).toMatch(/changed/);
  });

  it('is not taken for another module under the same manifest', () => {
    const other = module.slice();
    other[other.length - 1] = (other[other.length - 1] as number) ^ 1;
    expect(findFault(manifest, other, hashSources(name))).toMatch(/not the module/);
  });
});

const importsOf = (name: ModuleName): string[] =>
  WebAssembly.Module.imports(new WebAssembly.Module(readCommitted(name).module)).map(
    (one) => `${one.module}.${one.name}`,
  );

test('the core imports nothing, the voter only its chain', () => {
  expect(importsOf('crypto')).toEqual([]);
  expect(importsOf('batch')).toEqual([]);
  expect(importsOf('grandpa').sort()).toEqual(['host.ancestry', 'host.best_containing']);
});
