/** Dialogs that the palette can open too. */
export class Dialogs {
  /** The list of chains, the form for a new one, or the same with the fields of a fork; of a node elsewhere, to run its chain here. */
  chains = $state<'list' | 'new' | 'fork' | 'run' | null>(null);
  /** The form for a new account, or the one that sets its balance, in the Send panel. */
  account = $state<'add' | 'fund' | null>(null);
  /** The list of keyboard shortcuts. */
  help = $state(false);
  /** Shows the last edit of the state, to undo it; null if there is none. */
  undo = $state.raw<(() => void) | null>(null);
}
