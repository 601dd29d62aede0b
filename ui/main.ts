import { mount } from 'svelte';
import App from './App.svelte';
import { ChainBook } from './chains/chain-book.svelte.ts';
import { applyTheme } from './shell/theme.ts';
import { Session } from './state/session.svelte.ts';
import type { OpenNode } from './state/ui-node.ts';

/** The library and its method table come while the page is painted. */
const loading = import('./state/open-node.ts');
const openNode: OpenNode = async (...given) => (await loading).openNode(...given);

const target = document.getElementById('app');
if (target) {
  applyTheme();
  const session = new Session(openNode, new ChainBook());
  mount(App, { target, props: { session } });
  void session.begin();
}
