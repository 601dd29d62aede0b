import { mount } from 'svelte';
import App from './App.svelte';
import { openNode } from './state/open-node.ts';
import { Session } from './state/session.svelte.ts';

const target = document.getElementById('app');
if (target) {
  const session = new Session(openNode);
  mount(App, { target, props: { session } });
  void session.start();
}
