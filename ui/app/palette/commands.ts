import type { RuntimeMeta } from '../../../src/scale/types.ts';
import { Dialogs } from '../../kit/page/dialogs.svelte.ts';
import { commandsOf } from '../../kit/page/panel.ts';
import { linkTo, linkToChain, openLink } from '../../kit/page/route.svelte.ts';
import { chooseTheme, themes } from '../../kit/page/theme.svelte.ts';
import { groupDigits } from '../../kit/text/format.ts';
import { connectHref } from '../../node/client/remote-place.ts';
import { openWithFork } from '../../node/fork/kept-fork.ts';
import { liveBlock } from '../../node/fork/live-block.ts';
import type { PageContext } from '../../node/page-context.ts';
import type { Session } from '../../node/session/session.svelte.ts';
import { DemoSwitch } from '../../panels/chain/first-steps/demo-switch.svelte.ts';
import { StartCard } from '../../panels/chain/first-steps/start-card.svelte.ts';
import { panels } from '../../panels/panels.ts';

/** One entry of the palette. */
export type Command = {
  readonly id: string;
  readonly group: string;
  readonly label: string;
  readonly hint: string;
  /** A link to open, or an action. */
  readonly run: string | (() => void);
  /** More words that match it. */
  readonly words?: string;
};

/** An entry of the group “Do”. */
type Action = readonly [id: string, label: string, hint: string, words: string, run: string | (() => void)];

const toCommand = ([id, label, hint, words, run]: Action): Command => ({
  id,
  group: 'Do',
  label,
  hint,
  words,
  run,
});

/** Pages listed by what they do. */
const pageCommands = ({ node, metadata }: PageContext): readonly Command[] =>
  panels
    .flatMap((panel) => commandsOf(panel, (method) => node.offers(method)))
    .map(({ label, words, href }) => toCommand([`action:${label}`, label, '', words, href]))
    .concat(
      metadata.best?.metadata.pallets.some(({ name }) => name === 'Balances')
        ? [
            toCommand([
              'transfer',
              'Send a transfer',
              'Balances.transfer_keep_alive',
              'pay money tokens',
              linkTo('send', 'Balances', 'transfer_keep_alive'),
            ]),
          ]
        : [],
    );

/** Actions available if the chains belong to this page. */
const ownActions = ({ keep }: PageContext, dialogs: Dialogs): readonly Action[] => {
  const demo = keep('demo', () => new DemoSwitch());
  const openChains = (which: 'list' | 'new' | 'fork') => () => {
    dialogs.chains = which;
  };
  const start = (): void => {
    keep('start', () => new StartCard()).show();
    openLink(linkTo('chain'));
  };
  const demoLabel = demo.on ? 'Stop demo traffic' : 'Start demo traffic';
  return [
    ['new-chain', 'New chain…', '', 'create wasm spec import', openChains('new')],
    ['fork', 'Fork a live chain…', '', 'polkadot kusama chopsticks remote mainnet', openChains('fork')],
    ['chains', 'Export, rename, duplicate or delete a chain…', '', 'save backup', openChains('list')],
    ['start', 'Show the first steps', 'send, look, connect', 'start begin', start],
    ['pair', 'Watch Alice and Bob finalize', 'two nodes', 'grandpa votes', linkTo('chain', 'pair')],
    ['demo', demoLabel, 'development accounts trade', '', () => demo.toggle()],
  ];
};

const fundAction = (run: () => void): Action => [
  'fund',
  'Fund an account…',
  'dev_fund',
  'balance money faucet tokens',
  run,
];

/** Continues the chain of another node, or the live chain of a fork, from the block that is shown, else from the best one. */
const forkHere = (context: PageContext): readonly Action[] => {
  const { chain, pick, route } = context;
  const { picked } = pick;
  const at = route.place.panel === 'chain' && picked.kind === 'block' ? picked.block : chain.best;
  const { endpoints } = at === null ? { endpoints: [] } : liveBlock(context, at.number);
  if (at === null || endpoints.length === 0) return [];
  const label = `Fork here: continue from block #${groupDigits(at.number)} in this browser`;
  const open = (): void =>
    openWithFork({ endpoints: endpoints.join(' '), block: at.hash, name: '' }, endpoints);
  return [['fork-here', label, '', 'live chain chopsticks', open]];
};

/** A full node of the chain of a node elsewhere. */
const runHere = ({ node }: PageContext, dialogs: Dialogs): readonly Action[] => {
  const open = (): void => {
    dialogs.chains = 'run';
  };
  return node.remote === null
    ? []
    : [['run', 'Run this chain in your tab…', '', 'network full node sync join', open]];
};

const chainCommands = (session: Session | null): readonly Command[] =>
  (session?.book.entries ?? []).map((entry) => ({
    id: `chain:${entry.id}`,
    group: 'Chains',
    label: entry.name,
    hint: entry.id === session?.entry?.id ? 'open now' : 'switch to it',
    run: linkToChain(entry.id),
  }));

const actionCommands = (context: PageContext, session: Session | null): readonly Command[] => {
  const { sealing, chain, route, keep } = context;
  const dialogs = keep('dialogs', () => new Dialogs());
  const openAccount = (which: 'add' | 'fund') => () => {
    openLink(linkTo('send'));
    dialogs.account = which;
  };
  const openHelp = (): void => {
    dialogs.help = true;
  };
  const sealLabel = sealing.finalizes ? 'Seal a block and finalize it' : 'Seal a block now';
  const pauseLabel = chain.paused ? 'Resume the block list' : 'Pause the block list';
  const actions: readonly Action[] = [
    ...(context.node.offers('engine_createBlock')
      ? [['seal', sealLabel, sealing.keyless ?? 'engine_createBlock', '', () => void sealing.seal()] as const]
      : []),
    ['pause', pauseLabel, '', '', () => chain.togglePause()],
    ['account', 'Add or generate an account…', '', 'new key import wallet seed mnemonic', openAccount('add')],
    ...(context.node.offers('dev_fund') ? [fundAction(openAccount('fund'))] : []),
    ...(dialogs.undo
      ? [['undo', 'Undo the last edit of the state…', '', 'storage', dialogs.undo] as const]
      : []),
    ...(session === null ? [] : ownActions(context, dialogs)),
    ...forkHere(context),
    ...runHere(context, dialogs),
    // When embedded, the URL belongs to the host page.
    ...(session === null && context.node.remote === null
      ? []
      : [['connect', 'Connect to a node…', '', 'remote ws://', () => location.assign(connectHref)] as const]),
    ['help', 'Keyboard shortcuts', '?', 'help keys hotkeys', openHelp],
    ...themes.map(
      (theme) => [`theme:${theme}`, `Theme: ${theme}`, '', 'mode colors', () => chooseTheme(theme)] as const,
    ),
  ];
  return [
    ...panels.map(({ id, label, hint }) => ({
      id: `panel:${id}`,
      group: 'Go to',
      label,
      hint,
      run: route.linkBack(id),
    })),
    ...actions.map(toCommand),
    ...chainCommands(session),
  ];
};

const methodCommands = (methods: readonly string[]): readonly Command[] =>
  methods.map((method) => ({
    id: `rpc:${method}`,
    group: 'RPC',
    label: method,
    hint: 'call',
    run: linkTo('rpc', method),
  }));

const runtimeCommands = (meta: RuntimeMeta): readonly Command[] =>
  meta.metadata.pallets.flatMap((pallet) => {
    const calls = pallet.calls ? meta.lookup(pallet.calls.type) : null;
    return [
      ...(pallet.storage?.items ?? []).map((item) => ({
        id: `storage:${pallet.name}.${item.name}`,
        group: 'Storage',
        label: `${pallet.name}.${item.name}`,
        hint: (item.docs[0] ?? '').trim(),
        words: `${pallet.name}.${item.name}` === 'System.Account' ? 'balance balances free nonce' : '',
        run: linkTo('storage', pallet.name, item.name),
      })),
      ...(calls?.type === 'enum' ? Object.keys(calls.value) : []).map((call) => ({
        id: `call:${pallet.name}.${call}`,
        group: 'Calls',
        label: `${pallet.name}.${call}`,
        hint: 'build a transaction',
        words: `${pallet.name}.${call}`.replaceAll('_', ''),
        run: linkTo('send', pallet.name, call),
      })),
    ];
  });

/** All commands, before filtering. */
export const allCommands = (
  context: PageContext,
  session: Session | null,
  methods: readonly string[],
): readonly Command[] => {
  const meta = context.metadata.best;
  return [
    ...actionCommands(context, session),
    ...pageCommands(context),
    ...(meta === null ? [] : runtimeCommands(meta)),
    ...methodCommands(methods),
  ];
};
