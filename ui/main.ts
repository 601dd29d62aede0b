import { type Component, mount } from 'svelte';
import { beginNodeIn, type WorkerHost } from '../src/begin.ts';
import { createHost, hostOf } from '../src/host.ts';
import { NodeError } from '../src/index.ts';
import App from './App.svelte';
import { takePairing } from './bridge/pass.ts';
import { ChainBook } from './chains/chain-book.svelte.ts';
import { applyTheme } from './shell/theme.svelte.ts';
import { openerOf } from './state/attached.ts';
import { shieldStorage } from './state/page-store.ts';
import { remoteOf } from './state/remote-place.ts';
import { Session } from './state/session.svelte.ts';
import { nodeOptions, type OpenNode } from './state/ui-node.ts';

const load = () => import('./state/open-node.ts');
/** The library and its method table come while the page is painted and the worker's script loads. */
let loading: ReturnType<typeof load> | null = load();
/** The worker that the built page starts before this script (vite.config.ts). */
type Early = { readonly worker: Worker; readonly failed: Promise<ErrorEvent> };
let early = (globalThis as { readonly tabnodeEarly?: Early }).tabnodeEarly ?? null;

/** One that waits until another tab lets its chain go: what it downloads and compiles is there then. */
let spare: WorkerHost | null = null;

const takeHost = (): WorkerHost => {
  const host = early === null ? (spare ?? createHost()) : hostOf(early.worker, early.failed);
  early = null;
  spare = null;
  return host;
};

/** The worker is at it while the rest loads. */
const openNode: OpenNode = async (...given) => {
  const begun = beginNodeIn(takeHost(), nodeOptions(...given));
  try {
    loading ??= load();
    const { openNodeIn } = await loading.catch((fault: unknown) => {
      // Code that did not load may do so when the node is started again.
      loading = null;
      throw fault;
    });
    const node = await openNodeIn(begun, given[0]);
    if (node.isElsewhere) spare ??= createHost();
    return node;
  } catch (fault) {
    begun.end(new NodeError('Disconnected', 'The page did not take the node', { cause: fault }));
    throw fault;
  }
};

// Vite never asks again for a style sheet that did not load, and then shows its panel without: it is asked for here, less and less often.
addEventListener(
  'error',
  ({ target: link }) => {
    if (!(link instanceof HTMLLinkElement) || link.rel !== 'stylesheet') return;
    const tries = Number(link.dataset['tries'] ?? 0);
    setTimeout(
      () => {
        const next = link.cloneNode() as HTMLLinkElement;
        next.dataset['tries'] = `${tries + 1}`;
        link.replaceWith(next);
      },
      1000 * 2 ** tries,
    );
  },
  true,
);
shieldStorage(window);
const target = document.getElementById('app');
const opener = openerOf(window);
const remote = remoteOf(location.search);
/** A page that shows a node of somebody else, and needs no worker. */
const showElsewhere = async <P extends Record<string, unknown>>(
  page: Promise<{ readonly default: Component<P> }>,
  props: P,
) => {
  early?.worker.terminate();
  applyTheme();
  const { default: Page } = await page;
  target?.replaceChildren();
  if (target) mount(Page as Component, { target, props });
};
if (opener !== null) void showElsewhere(import('./shell/Attached.svelte'), { opener });
else if (remote !== null) void showElsewhere(import('./shell/Remote.svelte'), { address: remote });
else if (target) {
  applyTheme();
  takePairing();
  const session = new Session(openNode, new ChainBook());
  void session.begin();
  // In a task of its own, so that the worker hears which chain it opens before the shell is drawn.
  setTimeout(() => {
    target.replaceChildren();
    mount(App, { target, props: { session } });
  });
}
