import { expect, it } from 'vitest';
import { requireNodeVersion } from './node-version.ts';

it.each(['22.13.0', '22.14.1', '23.0.0', '24.21.0', '100.0.0'])('Node.js %s runs a node', (version) => {
  expect(() => requireNodeVersion(version)).not.toThrow();
});

it.each(['20.20.2', '22.12.9', '4.0.0'])('Node.js %s is refused, and told which would do', (version) => {
  expect(() => requireNodeVersion(version)).toThrow(
    `A node needs Node.js 22.13 or newer; this is ${version}`,
  );
});
