import { devAccounts, type KnownAccount } from '../state/accounts.ts';
import { readKeptList } from '../state/kept.ts';
import { openWallet, type WalletAccount } from './wallet.ts';

/** Who signs, and how: with a key of this page, in a wallet, or with the mock signature of an impersonated account. */
export type Signer =
  | { readonly kind: 'key'; readonly id: string; readonly name: string; readonly suri: string }
  | { readonly kind: 'wallet'; readonly id: string; readonly name: string; readonly account: WalletAccount }
  | { readonly kind: 'impersonated'; readonly id: string; readonly name: string | null };

/** Secrets: gone with the tab. */
const secretsKey = 'tabnode.secrets';
/** Public names of accounts: kept. */
const namesKey = 'tabnode.accounts';
const mostAccounts = 200;

const isAccount = (value: unknown): value is KnownAccount => {
  const { name, id, suri } = (value ?? {}) as Partial<KnownAccount>;
  return (
    typeof name === 'string' &&
    /^0x[0-9a-f]{64}$/.test(String(id)) &&
    (suri === null || typeof suri === 'string')
  );
};

const readAccounts = (store: Storage, key: string): readonly KnownAccount[] =>
  (readKeptList(store, key, isAccount) ?? []).slice(0, mostAccounts);

/** The accounts this page can send from. */
export class Signers {
  #added = $state.raw(readAccounts(sessionStorage, secretsKey));
  #named = $state.raw(readAccounts(localStorage, namesKey));
  #wallet = $state.raw<readonly WalletAccount[]>([]);

  /** Accounts whose secret was added in this tab. */
  get added(): readonly KnownAccount[] {
    return this.#added;
  }

  /** Accounts that only have a name here; they can be impersonated. */
  get named(): readonly KnownAccount[] {
    return this.#named;
  }

  get wallet(): readonly WalletAccount[] {
    return this.#wallet;
  }

  /** The best way to sign for an account: a key of this page, else a wallet, else impersonation. */
  of(id: string): Signer {
    const own = [...devAccounts, ...this.#added].find((account) => account.id === id);
    if (own?.suri != null) return { kind: 'key', id, name: own.name, suri: own.suri };
    const account = this.#wallet.find((one) => one.id === id);
    if (account) return { kind: 'wallet', id, name: account.name, account };
    return { kind: 'impersonated', id, name: this.#named.find((one) => one.id === id)?.name ?? null };
  }

  /** Takes a secret for as long as the tab lives; answers its account. Rejects with what is wrong with it. */
  async add(name: string, suri: string): Promise<string> {
    const { accountOfSuri } = await import('./keys.ts');
    const id = await accountOfSuri(suri);
    const account = { name: name.trim() || 'my key', id, suri: suri.trim() };
    this.#added = [...this.#added.filter((one) => one.id !== id), account].slice(-mostAccounts);
    sessionStorage.setItem(secretsKey, JSON.stringify(this.#added));
    return id;
  }

  /** Remembers a name for an account, without any secret. */
  name(name: string, id: string): void {
    const account = { name: name.trim() || id.slice(0, 10), id, suri: null };
    this.#named = [...this.#named.filter((one) => one.id !== id), account].slice(-mostAccounts);
    localStorage.setItem(namesKey, JSON.stringify(this.#named));
  }

  forget(id: string): void {
    this.#added = this.#added.filter((one) => one.id !== id);
    this.#named = this.#named.filter((one) => one.id !== id);
    sessionStorage.setItem(secretsKey, JSON.stringify(this.#added));
    localStorage.setItem(namesKey, JSON.stringify(this.#named));
  }

  /** Asks a wallet for its accounts; answers how many there are. */
  async connect(wallet: string): Promise<number> {
    const accounts = await openWallet(wallet);
    this.#wallet = [...this.#wallet.filter((one) => one.wallet !== wallet), ...accounts];
    return accounts.length;
  }
}
