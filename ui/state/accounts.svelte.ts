import { createSubscriber } from 'svelte/reactivity';
import { accountName, accountsChanged, type KnownAccount, ownAccounts } from './accounts.ts';

/** The accounts of this page as they are now, whichever part or window of it added them. */
export class AccountsView {
  #watch = createSubscriber((update) => {
    const names = [accountsChanged, 'storage'];
    for (const name of names) addEventListener(name, update);
    return () => {
      for (const name of names) removeEventListener(name, update);
    };
  });

  /** Without those of the development phrase. */
  get own(): readonly KnownAccount[] {
    this.#watch();
    return ownAccounts();
  }

  nameOf(id: string): string | null {
    this.#watch();
    return accountName(id);
  }
}
