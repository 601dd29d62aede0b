import type { KeyType } from '../../../src/accounts/pair.ts';
import { NodeError } from '../../../src/protocol/errors.ts';
import { readAccount } from '../../../src/scale/address.ts';
import { shortHex } from '../../kit/text/format.ts';
import { watchAccounts } from '../accounts.svelte.ts';
import {
  accountName,
  type BookEntry,
  devAccounts,
  type KnownAccount,
  keepAccounts,
  readAccounts,
  stashAccounts,
} from '../accounts.ts';
import { freeName } from '../session/chain-entry.ts';
import type { HeldKey, KeyCalls, Opening } from './key-protocol.ts';
import { type PageKeys, pageKeys } from './page-keys.ts';
import { openWallet, type WalletAccount, type WalletAccounts } from './wallet.ts';

/** A key in this page: that of a development account by its secret URI, others by their account ids. */
export type KeySigner = {
  readonly kind: 'key';
  readonly id: string;
  readonly name: string;
  readonly suri: string | null;
  /** Who holds it; default: the page's key worker. */
  readonly keys?: Pick<KeyCalls, 'sign' | 'signOnce'>;
};

/**
 * Who signs, and how: with a key in this page, with one that is encrypted and waits for its password, with a wallet, or with the mock
 * signature of an impersonated account.
 */
export type Signer =
  | KeySigner
  | { readonly kind: 'locked'; readonly id: string; readonly name: string; readonly json: string }
  | {
      readonly kind: 'wallet';
      readonly id: string;
      readonly name: string;
      readonly account: WalletAccount;
      /** Who checks its signatures; default: the page's key worker. */
      readonly keys?: Pick<KeyCalls, 'verify'>;
    }
  | { readonly kind: 'impersonated'; readonly id: string; readonly name: string | null };

/** What opening a file has added. */
export type Opened = {
  readonly ids: readonly string[];
  /** Accounts of the file that have another password; they are kept if the others are. */
  readonly locked: number;
};

const mostKept = 200;

/** Account ids of Ethereum have 20 bytes. */
const isSubstrate = (id: string): boolean => id.length === 66;

/** The accounts this page can send from on a chain. */
export class Signers {
  #watch = watchAccounts();
  readonly #chain: string | null;
  readonly #keys: PageKeys;
  wallet = $state.raw<readonly WalletAccount[]>([]);
  /** The same under the names that the wallets give them. */
  #connected: readonly WalletAccount[] = [];

  /** `chain` is its genesis hash; null for an address book of all chains. */
  constructor(chain: string | null = null, keys: PageKeys = pageKeys) {
    this.#chain = chain;
    this.#keys = keys;
  }

  /** The address book of this chain. */
  get book(): readonly BookEntry[] {
    this.#watch();
    const chain = this.#chain;
    return readAccounts('accounts').filter(
      ({ chains }) => chain === null || chains === undefined || chains.includes(chain),
    );
  }

  /** Accounts with a key, held or encrypted. */
  get added(): readonly BookEntry[] {
    return this.book.filter(({ id, json }) => this.isHeld(id) || json !== undefined);
  }

  /** Accounts known by name only, which can be impersonated. */
  get named(): readonly BookEntry[] {
    return this.book.filter(({ id, json }) => !this.isHeld(id) && json === undefined);
  }

  /** Whether the page holds the key, until it is closed. */
  isHeld(id: string): boolean {
    return this.#keys.held.all.has(id);
  }

  /** The best way to sign for an account: a key in this page, else a wallet, an encrypted key, or impersonation. */
  of(id: string): Signer {
    const dev = [...devAccounts, ...stashAccounts].find((account) => account.id === id);
    if (dev !== undefined) return { kind: 'key', id, name: dev.name, suri: dev.suri, keys: this.#keys };
    const name = accountName(id) ?? shortHex(id);
    if (this.isHeld(id)) return { kind: 'key', id, name, suri: null, keys: this.#keys };
    const account = this.wallet.find((one) => one.id === id);
    if (account) return { kind: 'wallet', id, name: account.name, account, keys: this.#keys };
    const json = this.added.find((one) => one.id === id)?.json;
    if (json !== undefined) return { kind: 'locked', id, name, json };
    return { kind: 'impersonated', id, name: accountName(id) };
  }

  /** The name that an account will get, other than that of any other account. */
  freeName(name: string, id: string | null): string {
    const others = [...devAccounts, ...stashAccounts, ...this.wallet, ...readAccounts('accounts')];
    const taken = others.filter((one) => one.id !== id).map((one) => one.name);
    return freeName(name, taken, 'Account');
  }

  /** Throws `RangeError` if the address book has no room for these accounts. */
  #needRoom(ids: readonly string[]): void {
    const all = readAccounts('accounts');
    const added = ids.filter((id) => !all.some((one) => one.id === id)).length;
    if (added === 0 || all.length + added <= mostKept) return;
    throw new RangeError(
      `The address book has ${all.length} accounts and takes ${mostKept}, so ${added} more do not fit. Remove some.`,
    );
  }

  /** Keeps a name, and a key if it is encrypted. Throws `RangeError` if the address book is full. */
  #keep(name: string, id: string, json?: string): void {
    this.#needRoom([id]);
    const all = readAccounts('accounts');
    const before = all.find((one) => one.id === id);
    const chains =
      this.#chain === null || (before !== undefined && before.chains === undefined)
        ? undefined
        : [...new Set([...(before?.chains ?? []), this.#chain])];
    const entry = { name: this.freeName(name, id), id, suri: null, chains, json: json ?? before?.json };
    keepAccounts('accounts', [...all.filter((one) => one.id !== id), entry]);
  }

  /**
   * Holds the key of a secret URI until the page is closed, and returns its account id. With a password, the key is kept in this browser
   * as well, encrypted. Rejects if the secret is invalid.
   */
  async add(
    name: string,
    suri: string,
    {
      type = 'sr25519',
      password = null,
    }: { readonly type?: KeyType; readonly password?: string | null } = {},
  ): Promise<string> {
    const before = this.#keys.held.all;
    const key = await this.#keys.add(suri, type);
    return this.#orForget(before, [key], async () => {
      const json =
        password === null ? undefined : await this.#keys.save(key.id, this.freeName(name, key.id), password);
      this.#keep(name, key.id, json);
      return key.id;
    });
  }

  /** Does what keeps new keys; if that fails, those that were not held `before` are not held any more. */
  async #orForget<T>(
    before: ReadonlySet<string>,
    keys: readonly HeldKey[],
    keep: () => Promise<T>,
  ): Promise<T> {
    try {
      return await keep();
    } catch (fault) {
      for (const { id } of keys) if (!before.has(id)) await this.#keys.forget(id);
      throw fault;
    }
  }

  /**
   * Opens the JSON account of polkadot-js, or a file with several, and holds the keys. With `keeps`, they are kept in this browser as they
   * are in the file: encrypted. Rejects with `BadAccountFile`, `WrongPassword` or `LimitReached`; then nothing is stored.
   */
  async open(
    text: string,
    password: string,
    { keeps, ...opening }: Opening & { readonly keeps: boolean },
  ): Promise<Opened> {
    const before = this.#keys.held.all;
    const { opened, locked } = await this.#keys.open(text, password, opening);
    return this.#orForget(before, opened, async () => {
      if (opening.signal?.aborted) throw new NodeError('Aborted');
      const fits = [...new Map(opened.map((key) => [key.id, key])).values()].filter(({ id }) =>
        isSubstrate(id),
      );
      for (const { id } of opened) if (!isSubstrate(id)) await this.#keys.forget(id);
      if (fits.length === 0 && locked.length === 0)
        throw new TypeError(
          opened.length === 0
            ? 'The file has no accounts.'
            : 'This is an Ethereum account. The accounts of this chain have 32 bytes, so it cannot be used here.',
        );
      const others = locked.flatMap(({ name, address, text }) => {
        const id = keeps ? readAccount(address ?? '') : null;
        return id === null ? [] : [{ name, id, text }];
      });
      this.#needRoom([...new Set([...fits, ...others].map(({ id }) => id))]);
      const texts = keeps ? await this.#textsOf(fits, password, opening.signal) : null;
      for (const { id, name } of fits) this.#keep(name ?? 'Account', id, texts?.get(id));
      for (const { id, name, text } of others) this.#keep(name ?? 'Account', id, text);
      return { ids: fits.map(({ id }) => id), locked: locked.length };
    });
  }

  /** The encrypted JSON of keys as their file has it, or written anew; half a second for each of those. */
  async #textsOf(
    keys: readonly HeldKey[],
    password: string,
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, string>> {
    const texts = new Map<string, string>();
    for (const { id, name, text } of keys) {
      if (signal?.aborted) throw new NodeError('Aborted');
      texts.set(id, text ?? (await this.#keys.save(id, name ?? 'Account', password)));
    }
    return texts;
  }

  /** Holds an encrypted key until the page is closed. Rejects with `WrongPassword`. */
  async unlock({ id, json }: Extract<Signer, { kind: 'locked' }>, password: string): Promise<void> {
    const { opened } = await this.#keys.open(json, password);
    if (opened.some((key) => key.id === id)) return;
    for (const other of opened) await this.#keys.forget(other.id);
    throw new TypeError(
      'The stored account has the key of another address. Remove it, and open its file again.',
    );
  }

  /** Lets go of a key; encrypted ones need their password again. */
  lock(id: string): void {
    void this.#keys.forget(id).catch(() => undefined);
  }

  /** The encrypted JSON account of a key that is held; with `keeps`, it is kept in this browser too. */
  async save(id: string, password: string, keeps = false): Promise<string> {
    const name = accountName(id) ?? 'Account';
    const json = await this.#keys.save(id, name, password);
    if (keeps) this.#keep(name, id, json);
    return json;
  }

  /** Stores a name for an account, without a secret. */
  name(name: string, id: string): void {
    this.#keep(name, id);
  }

  /** Removes an account, and its key, from the address book of this chain. */
  forget(id: string): void {
    const others = readAccounts('accounts').flatMap((one) => {
      const chains = one.chains?.filter((chain) => chain !== this.#chain) ?? [];
      if (one.id !== id) return [one];
      return this.#chain === null || chains.length === 0 ? [] : [{ ...one, chains }];
    });
    keepAccounts('accounts', others);
    this.lock(id);
  }

  /** Requests a wallet's accounts and returns them; rejects as `openWallet` does. */
  async connect(wallet: string, signal?: AbortSignal): Promise<WalletAccounts> {
    const found = await openWallet(wallet, signal);
    const all = [...this.#connected.filter((one) => one.wallet !== wallet), ...found.accounts];
    // Several wallets may have the same account, or another one with the same name.
    this.#connected = [...new Map(all.map((account) => [account.id, account])).values()];
    const named = [...devAccounts, ...stashAccounts, ...this.book, ...this.#connected];
    const isShared = ({ id, name }: KnownAccount) => named.some((one) => one.id !== id && one.name === name);
    this.wallet = this.#connected.map((account) =>
      isShared(account) ? { ...account, name: `${account.name} (${shortHex(account.address)})` } : account,
    );
    keepAccounts(
      'wallets',
      this.wallet.map(({ name, id }) => ({ name, id, suri: null })),
    );
    return found;
  }
}
