import { NodeError } from '../../../src/protocol/errors.ts';
import { readAccount, toAddress } from '../../../src/scale/address.ts';
import type { Json, LookupEntry, RuntimeMeta } from '../../../src/scale/types.ts';
import { accountOfSuri } from '../../node/tx/keys.ts';

export const developmentNames = ['Alice', 'Bob', 'Charlie', 'Dave', 'Eve', 'Ferdie'] as const;

/** The derivation path of `Alice` or `//Alice//stash`. Null for anything else, including every secret. */
export const developmentPath = (text: string): string | null => {
  const name = developmentNames.find((one) => one.toLowerCase() === text.toLowerCase());
  if (name !== undefined) return `//${name}`;
  return /^\/\/[\w/]{1,100}$/.test(text) && !text.includes('///') ? text : null;
};

/** The address of an account given by name, address or 0x public key. Throws `BadValue`. */
export const addressOf = async ({ ss58Prefix }: RuntimeMeta, text: string): Promise<string> => {
  const path = developmentPath(text);
  const id = path === null ? readAccount(text) : await accountOfSuri(path);
  if (id === null)
    throw new NodeError(
      'BadValue',
      `"${text}" is not an account: give an address, 32 bytes as 0x text, or a name such as Alice`,
    );
  return toAddress(id, ss58Prefix);
};

/** Replaces a development account's name with its address, and makes an address the `Id` of a MultiAddress. */
const readText = async (meta: RuntimeMeta, entry: LookupEntry, text: string): Promise<Json> => {
  if (entry.type === 'AccountId32') return developmentPath(text) === null ? text : addressOf(meta, text);
  if (entry.type !== 'enum' || entry.id !== meta.addressType || text in entry.value) return text;
  return { Id: await addressOf(meta, text) };
};

const readMembers = async (
  value: Json,
  read: (label: string, inner: Json) => Promise<Json>,
): Promise<Json> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).map(
    async ([label, inner]) => [label, await read(label, inner)] as const,
  );
  return Object.fromEntries(await Promise.all(members));
};

const readItems = async (value: Json, pick: (index: number) => LookupEntry | undefined, meta: RuntimeMeta) =>
  Array.isArray(value)
    ? Promise.all(
        value.map((item: Json, index) => {
          const entry = pick(index);
          return entry === undefined ? item : readAccounts(meta, entry, item);
        }),
      )
    : value;

/** Converts plain addresses and names of development accounts, also in nested calls, for `encodeJson`. */
export const readAccounts = async (meta: RuntimeMeta, entry: LookupEntry, value: Json): Promise<Json> => {
  if (typeof value === 'string') return readText(meta, entry, value);
  switch (entry.type) {
    case 'sequence':
    case 'array':
      return readItems(value, () => entry.value, meta);
    case 'tuple':
      return readItems(value, (index) => entry.value[index], meta);
    case 'option':
      return readAccounts(meta, entry.value, value);
    case 'struct':
      return readMembers(value, async (label, inner) => {
        const field = entry.value[label];
        return field === undefined ? inner : readAccounts(meta, field, inner);
      });
    case 'enum':
      return readMembers(value, async (label, inner) => {
        const content = entry.value[label]?.inner ?? null;
        return content === null ? inner : readAccounts(meta, content, inner);
      });
    default:
      return value;
  }
};
