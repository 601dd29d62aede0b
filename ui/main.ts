import { mount } from 'svelte';
import App from './App.svelte';
import { openNode } from './state/open-node.ts';
import { Session } from './state/session.svelte.ts';

const loadOpener = async () =>
  import.meta.env.MODE === 'fake' ? (await import('./dev/fake-node.ts')).openFakeNode : openNode;

const target = document.getElementById('app');
if (target) {
  const session = new Session(async () => (await loadOpener())());
  mount(App, { target, props: { session } });
  void session.start();
}
