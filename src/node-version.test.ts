import { expect, it } from 'vitest';
import { requireNodeVersion } from './node-version.ts';

it.each(['22.13.0', '22.14.1', '23.0.0', '24.21.0', '100.0.0'])('accepts Node.js %s', (version) => {
  expect(() => requireNodeVersion(version)).not.toThrow();
});

it.each(['20.20.2', '22.12.9', '4.0.0'])('refuses Node.js %s, and names a version that works', (version) => {
  expect(() => requireNodeVersion(version)).toThrow(
    `A node needs Node.js 22.13 or newer; this is ${version}`,
  );
});
