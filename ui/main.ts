import { type Component, mount } from 'svelte';
import { beginNodeIn, type WorkerHost } from '../src/begin.ts';
import { createHost, hostOf } from '../src/host.ts';
import { NodeError } from '../src/index.ts';
import type { Standby } from '../src/tabs/standby.ts';
import App from './app/App.svelte';
import { shieldStorage } from './kit/page/page-store.ts';
import { readPlace } from './kit/page/route.svelte.ts';
import { applyTheme } from './kit/page/theme.svelte.ts';
import { faultText } from './kit/text/format.ts';
import { takePairing } from './node/bridge-pass.ts';
import { openerOf } from './node/client/attached.ts';
import { remoteOf } from './node/client/remote-place.ts';
import { nodeOptions, type OpenNode } from './node/client/ui-node.ts';
import { forkOf } from './node/live-chain/fork-place.ts';
import { ChainBook } from './node/session/chain-book.svelte.ts';
import { Session } from './node/session/session.svelte.ts';

const load = () => import('./node/client/open-node.ts');
/** The library and its method table load while the page paints and the worker's script loads. */
let loading: ReturnType<typeof load> | null = load();
/** The worker and the files that the built page requests before this script runs (scripts/vite/early-worker.ts). */
type Early = {
  readonly worker: Worker;
  readonly failed: Promise<ErrorEvent>;
  /** Resolves when the style sheet of the first view was loaded or has failed. */
  readonly styled: Promise<unknown>;
};
let early = (globalThis as { readonly tabnodeEarly?: Early }).tabnodeEarly ?? null;
const styled = early?.styled;

let standby: Standby | null = null;

const takeHost = (): { readonly host: WorkerHost; readonly seizes: boolean } => {
  const ready =
    early === null ? standby?.take() : { host: hostOf(early.worker, early.failed), seizes: false };
  early = null;
  standby = null;
  return ready ?? { host: createHost(), seizes: false };
};

/** Starts the worker first, so that it runs while the rest of the code loads. */
const openNode: OpenNode = async (...args) => {
  const [id, , , starting] = args;
  const options = nodeOptions(...args);
  const { host, seizes } = takeHost();
  const begun = beginNodeIn(host, options, seizes);
  try {
    loading ??= load();
    // A style sheet that did not load only fails the first import; it is requested again below.
    const { openNodeIn } = await loading.catch(load).catch((fault: unknown) => {
      // Allow another attempt when the node is started again.
      loading = null;
      throw new NodeError('Internal', faultText(fault), { details: { isCode: true }, cause: fault });
    });
    await styled;
    const [node, next] = await openNodeIn(begun, id, options, starting);
    standby = next;
    return node;
  } catch (fault) {
    begun.end(new NodeError('Disconnected', 'The page did not take the node', { cause: fault }));
    throw fault;
  }
};

shieldStorage(window);
const target = document.getElementById('app');
const opener = openerOf(window);
const remote = remoteOf(location.search);
/** Shows a node that runs elsewhere, which needs no worker. */
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
if (opener !== null) void showElsewhere(import('./embed/Attached.svelte'), { opener });
else if (remote !== null) void showElsewhere(import('./app/shell/Remote.svelte'), { address: remote });
else if (target) {
  applyTheme();
  takePairing();
  // A chain that is open already is not forked again by a reload.
  const forks = forkOf(location.search).length > 0 && readPlace(location.hash).chain === null;
  const session = new Session(openNode, new ChainBook());
  void session.begin();
  // In its own task, so that the worker receives its start message before the shell is rendered.
  setTimeout(() => {
    target.replaceChildren();
    mount(App, { target, props: { session, forks } });
  });
}
