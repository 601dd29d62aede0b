/** Dialogs that the palette opens too. */
export class Dialogs {
  /** The chains of this browser, or the form of a new one. */
  chains = $state<'list' | 'new' | null>(null);
  /** The form of a new account or that of its balance, in Send. */
  account = $state<'add' | 'fund' | null>(null);
}
