import { mount } from 'svelte';
import App from './App.svelte';
import { ChainBook } from './chains/chain-book.svelte.ts';
import { applyTheme } from './shell/theme.ts';
import { openNode } from './state/open-node.ts';
import { Session } from './state/session.svelte.ts';

const target = document.getElementById('app');
if (target) {
  applyTheme();
  const session = new Session(openNode, new ChainBook());
  mount(App, { target, props: { session } });
  void session.begin();
}
