import { shortHex } from '../../kit/text/format.ts';
import { watchAccounts } from '../accounts.svelte.ts';
import {
  accountName,
  devAccounts,
  type KnownAccount,
  keepAccounts,
  readAccounts,
  stashAccounts,
} from '../accounts.ts';
import { freeName } from '../session/chain-entry.ts';
import { openWallet, type WalletAccount } from './wallet.ts';

/**
 * Who signs, and how: with a key in this page, with a wallet, or with the mock signature of an impersonated
 * account.
 */
export type Signer =
  | { readonly kind: 'key'; readonly id: string; readonly name: string; readonly suri: string }
  | { readonly kind: 'wallet'; readonly id: string; readonly name: string; readonly account: WalletAccount }
  | { readonly kind: 'impersonated'; readonly id: string; readonly name: string | null };

/** The accounts this page can send from. */
export class Signers {
  #watch = watchAccounts();
  wallet = $state.raw<readonly WalletAccount[]>([]);
  /** The same under the names that the wallets give them. */
  #connected: readonly WalletAccount[] = [];

  /** Accounts whose secret was added in this tab. */
  get added(): readonly KnownAccount[] {
    this.#watch();
    return readAccounts('secrets');
  }

  /** Accounts known by name only, which every tab can change; they can be impersonated. */
  get named(): readonly KnownAccount[] {
    this.#watch();
    return readAccounts('accounts');
  }

  /** The best way to sign for an account: a key in this page, else a wallet, else impersonation. */
  of(id: string): Signer {
    const own = [...devAccounts, ...this.added, ...stashAccounts].find((account) => account.id === id);
    if (own?.suri != null) return { kind: 'key', id, name: own.name, suri: own.suri };
    const account = this.wallet.find((one) => one.id === id);
    if (account) return { kind: 'wallet', id, name: account.name, account };
    return { kind: 'impersonated', id, name: accountName(id) };
  }

  /** The name that an account will get, other than that of any other account. */
  freeName(name: string, id: string | null): string {
    const others = [...devAccounts, ...stashAccounts, ...this.wallet, ...this.added, ...this.named];
    const taken = others.filter((one) => one.id !== id).map((one) => one.name);
    return freeName(name, taken, 'Account');
  }

  /**
   * Stores a secret for the lifetime of the tab and returns its account id. Rejects if the secret is invalid.
   */
  async add(name: string, suri: string): Promise<string> {
    const { accountOfSuri } = await import('./keys.ts');
    const id = await accountOfSuri(suri);
    const account = { name: this.freeName(name, id), id, suri: suri.trim() };
    keepAccounts('secrets', [...this.added.filter((one) => one.id !== id), account]);
    return id;
  }

  /** Stores a name for an account, without a secret. */
  name(name: string, id: string): void {
    const account = { name: this.freeName(name, id), id, suri: null };
    keepAccounts('accounts', [...this.named.filter((one) => one.id !== id), account]);
  }

  forget(id: string): void {
    const others = (one: KnownAccount): boolean => one.id !== id;
    keepAccounts('secrets', this.added.filter(others));
    keepAccounts('accounts', this.named.filter(others));
  }

  /** Requests a wallet's accounts and returns their number. */
  async connect(wallet: string): Promise<number> {
    const accounts = await openWallet(wallet);
    const all = [...this.#connected.filter((one) => one.wallet !== wallet), ...accounts];
    // Several wallets may have the same account, or another one with the same name.
    this.#connected = [...new Map(all.map((account) => [account.id, account])).values()];
    const known = [...devAccounts, ...stashAccounts, ...this.added, ...this.named, ...this.#connected];
    this.wallet = this.#connected.map((account) =>
      known.some(({ id, name }) => id !== account.id && name === account.name)
        ? { ...account, name: `${account.name} (${shortHex(account.address)})` }
        : account,
    );
    keepAccounts(
      'wallets',
      this.wallet.map(({ name, id }) => ({ name, id, suri: null })),
    );
    return accounts.length;
  }
}
