import { createSubscriber } from 'svelte/reactivity';
import { accountName, accountsChanged, type KnownAccount, ownAccounts } from './accounts.ts';

/** Makes the reactive code that calls it run again whenever any part of the page or another window changes an account. */
export const watchAccounts = (): (() => void) =>
  createSubscriber((update) => {
    const names = [accountsChanged, 'storage'];
    for (const name of names) addEventListener(name, update);
    return () => {
      for (const name of names) removeEventListener(name, update);
    };
  });

/** The known accounts, updated whenever any part of the page or another window changes them. */
export class AccountsView {
  #watch = watchAccounts();

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
