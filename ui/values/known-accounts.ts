import { toAddress } from '../../src/scale/address.ts';
import { devAccounts, ownAccounts } from '../node/accounts.ts';
import type { NamedValue } from './call/params-schema.ts';

/** The accounts that the page can name, by their addresses with this SS58 prefix. */
export const knownAccounts = (prefix: number): readonly NamedValue[] =>
  [...devAccounts, ...ownAccounts()].map(({ name, id }) => ({ name, value: toAddress(id, prefix) }));
