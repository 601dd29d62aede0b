import { NodeError } from './protocol/errors.ts';

/** The first Node.js version with SQLite enabled without a flag. */
const [leastMajor, leastMinor] = [22, 13];

/** Throws if this Node.js version (`process.versions.node`) cannot run a node. */
export const requireNodeVersion = (version: string): void => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return;
  throw new NodeError(
    'BadConfig',
    `A node needs Node.js ${leastMajor}.${leastMinor} or newer; this is ${version}`,
  );
};
