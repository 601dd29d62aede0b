import registry from '@substrate/ss58-registry';
import { bad } from '../cli/arguments.ts';

/** The prefix of addresses that belong to no particular network. */
export const defaultPrefix = 42;

/** A network of the SS58 registry by its name, or a prefix of 0 to 16383. Throws `BadConfig`. */
export const parseNetwork = (text: string): number => {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= 16_383) return number;
  const found = registry.find(({ network }) => network?.toLowerCase() === text.toLowerCase());
  if (found !== undefined) return found.prefix;
  throw bad(`--network ${text}: neither a network of the SS58 registry, such as polkadot, nor its prefix`);
};

/** The registry's name of a prefix, or the prefix itself. */
export const networkName = (prefix: number): string =>
  registry.find((one) => one.prefix === prefix)?.network ?? String(prefix);
