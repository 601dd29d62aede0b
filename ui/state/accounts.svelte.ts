import { createSubscriber } from 'svelte/reactivity';
import { accountName, accountsChanged, type KnownAccount, ownAccounts } from './accounts.ts';

/** The known accounts, updated whenever any part of the page or another window changes them. */
export class AccountsView {
  #watch = createSubscriber((update) => {
    const names = [accountsChanged, 'storage'];
    for (const name of names) addEventListener(name, update);
    return () => {
      for (const name of names) removeEventListener(name, update);
    };
  });

  /** Accounts other than those of the development phrase. */
  get own(): readonly KnownAccount[] {
    this.#watch();
    return ownAccounts();
  }

  nameOf(id: string): string | null {
    this.#watch();
    return accountName(id);
  }
}
