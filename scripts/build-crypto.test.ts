import { expect, test } from 'vitest';
import { findFault, hashSources, readCommitted } from './build-crypto.mjs';

const { manifest, module } = readCommitted();

test('crypto-core.wasm was built from the current sources (otherwise run node scripts/build-crypto.mjs)', () => {
  expect(findFault(manifest, module, hashSources())).toBeNull();
});

test('a changed source is detected', () => {
  expect(
    findFault(
      manifest,
      module,
      hashSources().replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
    ),
  ).toMatch(/changed/);
});

test('another module under the same manifest is detected', () => {
  const other = module.slice();
  other[other.length - 1] = (other[other.length - 1] as number) ^ 1;
  expect(findFault(manifest, other, hashSources())).toMatch(/not the module/);
});

test('the module imports nothing', () => {
  expect(WebAssembly.Module.imports(new WebAssembly.Module(module))).toEqual([]);
});
