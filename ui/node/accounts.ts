import { writeJson } from '../../src/protocol/json.ts';
import { isListOf, isShape, isText } from '../kit/page/guards.ts';
import { readKeptList } from '../kit/page/kept.ts';

/** A named account. */
export type KnownAccount = {
  readonly name: string;
  /** Account id: 32 bytes as a 0x string. */
  readonly id: string;
  /** Secret URI of its key, for development accounts; null for all others. */
  readonly suri: string | null;
};

/** An account of the address book, which is stored in this browser. */
export type BookEntry = KnownAccount & {
  /** Genesis hashes of the chains that it was added on; without them, it belongs to all. */
  readonly chains?: readonly string[] | undefined;
  /** Its key, as an encrypted JSON account of polkadot-js. */
  readonly json?: string | undefined;
};

const toDevAccount = ([name = '', id = '']: readonly string[]): KnownAccount => ({
  name,
  id,
  suri: `//${name}`,
});

/** Public keys of the development phrase (sp_keyring::Sr25519Keyring). */
export const devAccounts: readonly KnownAccount[] = [
  ['Alice', '0xd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d'],
  ['Bob', '0x8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48'],
  ['Charlie', '0x90b5ab205c6974c9ea841be688864633dc9ca8a357843eeacf2314649965fe22'],
  ['Dave', '0x306721211d5404bd9da88e0204360a1a9ab8b87c66c1bc2fcdd37f3c2222cc20'],
  ['Eve', '0xe659a7a1628cdd93febc04a4e0646ea20e9f5f0ce097d9a05290d4a9e054df4e'],
  ['Ferdie', '0x1cbd2d43530a44705ad088af313e18f80b53ef16b36177cd4b77b846f2a5f07c'],
].map(toDevAccount);

/** Their stash accounts, which development chains fund as well: named and signed for, but not offered. */
export const stashAccounts: readonly KnownAccount[] = [
  ['Alice//stash', '0xbe5ddb1579b72e84524fc29e78609e3caf42e85aa118ebfe0b0ad404b5bdd25f'],
  ['Bob//stash', '0xfe65717dad0447d715f660a0a58411de509b42e6efb8375f562f58a554d5860e'],
  ['Charlie//stash', '0x1e07379407fecc4b89eb7dbd287c2c781cfb1907a96947a3eb18e4f8e7198625'],
  ['Dave//stash', '0xe860f1b1c7227f7c22602f53f15af80747814dffd839719731ee3bba6edc126c'],
  ['Eve//stash', '0x8ac59e11963af19174d0b94d5d78041c233f55d2e19324665bafdfb62925af2d'],
  ['Ferdie//stash', '0x101191192fc877c24d725b337120fa3edc63d227bbc92705db1e2cb65f56981a'],
].map(toDevAccount);

/** Lists of accounts: those of wallets last as long as the tab, the address book is kept. No list has a secret in clear text. */
export type AccountList = 'wallets' | 'accounts';

const lists: readonly AccountList[] = ['wallets', 'accounts'];
const keyOf = (list: AccountList): string => `tabnode.${list}`;
/** Undefined outside a page. */
const storeOf = (list: AccountList): Storage | undefined =>
  list === 'accounts' ? globalThis.localStorage : globalThis.sessionStorage;

/** Longer texts are no JSON account. */
const longestJson = 4000;

const isAccount = isShape<BookEntry>({
  name: isText,
  id: (value): value is string => isText(value) && /^0x[0-9a-f]{64}$/.test(value),
  suri: (value): value is null => value === null,
  chains: (value): value is readonly string[] | undefined => value === undefined || isListOf(isText)(value),
  json: (value): value is string | undefined =>
    value === undefined || (isText(value) && value.length <= longestJson),
});

const mostAccounts = 200;

/** Dispatched on the window after a list has changed. */
export const accountsChanged = 'tabnode:accounts';

export const readAccounts = (list: AccountList): readonly BookEntry[] => {
  const store = storeOf(list);
  return store === undefined
    ? []
    : (readKeptList(store, keyOf(list), isAccount) ?? []).slice(0, mostAccounts);
};

/** Stores the newest accounts of a list. */
export const keepAccounts = (list: AccountList, all: readonly BookEntry[]): void => {
  storeOf(list)?.setItem(keyOf(list), writeJson(all.slice(-mostAccounts)));
  dispatchEvent(new Event(accountsChanged));
};

/** Accounts that were generated, opened or named here, one per id. */
export const ownAccounts = (): readonly KnownAccount[] => {
  const all = lists.flatMap(readAccounts);
  return [...new Map(all.toReversed().map((account) => [account.id, account])).values()].reverse();
};

/** The name of an account; null if it has none. */
export const accountName = (id: string): string | null => {
  const isIt = (account: KnownAccount): boolean => account.id === id;
  const dev = devAccounts.find(isIt);
  if (dev) return dev.name;
  // This runs for every account on the screen, and most are not listed: search the raw text before parsing it.
  const isKept = lists.some((list) => storeOf(list)?.getItem(keyOf(list))?.includes(id));
  return ((isKept && ownAccounts().find(isIt)) || stashAccounts.find(isIt))?.name ?? null;
};
