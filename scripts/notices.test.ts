import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { hashLock, noticesPath, type Row, readNotices, rustLibrary } from './notices/file.ts';
import { chooseLicense, licenseOfRuntimeCrate } from './notices/licenses.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const notices = readNotices(readFileSync(noticesPath, 'utf8'));
const nameOf = ({ name, version }: Pick<Row, 'name' | 'version'>): string => `${name} ${version}`;

describe('the notices of third parties', () => {
  it('were made for the lock files of the Wasm modules', () => {
    expect(notices.locks, 'npm run notices').toEqual([
      hashLock('crypto'),
      hashLock('grandpa'),
      hashLock('runtime'),
    ]);
  });

  it.each(['crypto', 'grandpa', 'runtime'] as const)(
    'list crates of %s, as its lock file has them',
    (part) => {
      const lock = readFileSync(`${root}/crates/${part}/Cargo.lock`, 'utf8');
      const locked = [...lock.matchAll(/^name = "(.+)"\nversion = "(.+)"/gm)].map(
        ([, name, version]) => `${name} ${version}`,
      );
      expect(notices[part].length).toBeGreaterThan(10);
      for (const row of notices[part]) if (row.name !== rustLibrary) expect(locked).toContain(nameOf(row));
    },
  );

  it('name licenses that fit Apache-2.0, but for five crates of the runtime', () => {
    const all = [...notices.npm, ...notices.crypto, ...notices.grandpa, ...notices.runtime];
    expect(all.filter(({ licenses }) => chooseLicense(licenses.join(' AND ')) === null).map(nameOf)).toEqual([
      'polkadot-core-primitives 25.0.0',
      'polkadot-parachain-primitives 24.0.0',
      'staging-xcm 25.0.0',
      'staging-xcm-builder 31.0.0',
      'staging-xcm-executor 29.0.1',
    ]);
  });

  it('have a text for each license but Apache-2.0', () => {
    for (const row of [...notices.npm, ...notices.crypto, ...notices.grandpa, ...notices.runtime]) {
      for (const number of row.texts) expect(number).toBeLessThanOrEqual(notices.texts);
      if (row.licenses.some((license) => !license.startsWith('Apache-2.0')))
        expect(row.texts.length, nameOf(row)).toBeGreaterThan(0);
    }
  });
});

describe('licenses', () => {
  it.each([
    ['MIT', ['MIT']],
    ['MIT OR Apache-2.0', ['Apache-2.0']],
    ['MIT/Apache-2.0', ['Apache-2.0']],
    ['Apache-2.0/GPL-3.0', ['Apache-2.0']],
    ['(MIT OR Apache-2.0) AND Unicode-3.0', ['Apache-2.0', 'Unicode-3.0']],
    ['Apache-2.0 WITH LLVM-exception', ['Apache-2.0 WITH LLVM-exception']],
  ])('%s is taken under %j', (expression, taken) => {
    expect(chooseLicense(expression)).toEqual(taken);
  });

  it.each([
    'GPL-3.0-only',
    'GPL-3.0-or-later WITH Classpath-exception-2.0',
    'AGPL-3.0',
    'LGPL-3.0',
    'MIT AND GPL-2.0',
    'SSPL-1.0',
    'none',
  ])('%s does not fit', (expression) => {
    expect(chooseLicense(expression)).toBeNull();
  });

  it.each(['', 'MIT OR', '(MIT', 'MIT)', 'SEE LICENSE IN file'])('%j is not read', (expression) => {
    expect(() => chooseLicense(expression)).toThrow();
  });

  it('of crates that only the runtime contains: the known ones', () => {
    expect(licenseOfRuntimeCrate('staging-xcm', 'GPL-3.0-only')).toEqual(['GPL-3.0-only']);
    expect(licenseOfRuntimeCrate('sc-client', 'GPL-3.0-only')).toBeNull();
  });
});
