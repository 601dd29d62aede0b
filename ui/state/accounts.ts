import { readKeptList } from './kept.ts';

/** An account that this page can name. */
export type KnownAccount = {
  readonly name: string;
  /** 32 bytes as 0x text. */
  readonly id: string;
  /** Where its key comes from: a development phrase, or only a name for an address. */
  readonly suri: string | null;
};

/** Public keys of the development phrase (sp_keyring::Sr25519Keyring). */
export const devAccounts: readonly KnownAccount[] = [
  ['Alice', '0xd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d'],
  ['Bob', '0x8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48'],
  ['Charlie', '0x90b5ab205c6974c9ea841be688864633dc9ca8a357843eeacf2314649965fe22'],
  ['Dave', '0x306721211d5404bd9da88e0204360a1a9ab8b87c66c1bc2fcdd37f3c2222cc20'],
  ['Eve', '0xe659a7a1628cdd93febc04a4e0646ea20e9f5f0ce097d9a05290d4a9e054df4e'],
  ['Ferdie', '0x1cbd2d43530a44705ad088af313e18f80b53ef16b36177cd4b77b846f2a5f07c'],
].map(([name = '', id = '']) => ({ name, id, suri: `//${name}` }));

/** What this page knows of other accounts: secrets and what a wallet offered end with the tab, public names stay. */
export type AccountList = 'secrets' | 'wallets' | 'accounts';

const lists: readonly AccountList[] = ['secrets', 'wallets', 'accounts'];
const keyOf = (list: AccountList): string => `tabnode.${list}`;
/** Undefined outside of a page. */
const storeOf = (list: AccountList): Storage | undefined =>
  list === 'accounts' ? globalThis.localStorage : globalThis.sessionStorage;

const isAccount = (value: unknown): value is KnownAccount => {
  const { name, id, suri } = (value ?? {}) as Partial<KnownAccount>;
  return (
    typeof name === 'string' &&
    /^0x[0-9a-f]{64}$/.test(String(id)) &&
    (suri === null || typeof suri === 'string')
  );
};

const mostAccounts = 200;

/** Fired on the window after a list has changed. */
export const accountsChanged = 'tabnode:accounts';

export const readAccounts = (list: AccountList): readonly KnownAccount[] => {
  const store = storeOf(list);
  return store === undefined
    ? []
    : (readKeptList(store, keyOf(list), isAccount) ?? []).slice(0, mostAccounts);
};

/** Keeps the newest of a list, and answers them. */
export const keepAccounts = (list: AccountList, all: readonly KnownAccount[]): readonly KnownAccount[] => {
  const kept = all.slice(-mostAccounts);
  storeOf(list)?.setItem(keyOf(list), JSON.stringify(kept));
  dispatchEvent(new Event(accountsChanged));
  return kept;
};

/** Accounts that were generated, imported or named here, one for each id. */
export const ownAccounts = (): readonly KnownAccount[] => {
  const all = lists.flatMap(readAccounts);
  return [...new Map(all.toReversed().map((account) => [account.id, account])).values()].reverse();
};

/** The name of an account, where this page has one. */
export const accountName = (id: string): string | null => {
  const dev = devAccounts.find((account) => account.id === id);
  // A list is long, and asked about every account on the screen: most are not in it.
  if (dev || !lists.some((list) => storeOf(list)?.getItem(keyOf(list))?.includes(id)))
    return dev?.name ?? null;
  return ownAccounts().find((account) => account.id === id)?.name ?? null;
};
