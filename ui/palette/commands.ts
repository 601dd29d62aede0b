import { connectHref } from '../client/remote-place.ts';
import { agentAccess } from '../mcp/agent-access.svelte.ts';
import type { RuntimeMeta } from '../meta/types.ts';
import { Dialogs } from '../page/dialogs.svelte.ts';
import { linkTo, linkToChain, openLink } from '../page/route.svelte.ts';
import { chooseTheme, themes } from '../page/theme.svelte.ts';
import { panels } from '../panels.ts';
import type { Session } from '../session/session.svelte.ts';
import { DemoSwitch } from '../start/demo-switch.svelte.ts';
import { StartCard } from '../start/start-card.svelte.ts';
import type { PageContext } from '../state/page-context.ts';

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
const pageCommands = ({ node }: PageContext): readonly Command[] =>
  (
    [
      [null, 'Find a block or a transaction', 'hash number search', 'chain'],
      [
        'dev_snapshot',
        'Snapshot, restore, reset, move the clock',
        'day jump roll time finality undo back',
        'chain',
        'control',
      ],
      [null, 'View epochs, voters and rounds', 'consensus babe grandpa finality', 'chain', 'epoch'],
      ['dev_runtimeInfo', 'Upgrade the runtime', 'wasm set_code', 'send', 'upgrade'],
      [null, 'Compare two blocks', 'diff state', 'storage', 'diff'],
      [null, 'Decode bytes', 'scale hex', 'runtime', 'decode'],
      ['dev_subscribeTraffic', 'Record the traffic', 'log replay', 'live', 'recording'],
      [null, 'Copy a bug report', 'issue versions errors timings', 'node', 'report'],
    ] as const
  )
    .filter(([method]) => method === null || node.offers(method))
    .map(([, label, words, panel, ...page]) =>
      toCommand([`action:${label}`, label, '', words, linkTo(panel, ...page)]),
    );

/** Actions available if the chains belong to this page. */
const ownActions = ({ keep }: PageContext, dialogs: Dialogs): readonly Action[] => {
  const demo = keep('demo', () => new DemoSwitch());
  const openChains = (which: 'list' | 'new') => () => {
    dialogs.chains = which;
  };
  const start = (): void => {
    keep('start', () => new StartCard()).show();
    openLink(linkTo('chain'));
  };
  const demoLabel = demo.on ? 'Stop demo traffic' : 'Start demo traffic';
  return [
    ['new-chain', 'New chain…', '', 'create wasm spec', openChains('new')],
    ['chains', 'Export, rename, duplicate or delete a chain…', '', 'save backup', openChains('list')],
    ['start', 'Show the first steps', 'send, look, connect', 'start begin', start],
    ['pair', 'Watch Alice and Bob finalize', 'two nodes', 'grandpa votes', linkTo('chain', 'pair')],
    ['demo', demoLabel, 'development accounts trade', '', () => demo.toggle()],
  ];
};

const actionCommands = (context: PageContext, session: Session | null): readonly Command[] => {
  const { sealing, chain, route, keep } = context;
  const dialogs = keep('dialogs', () => new Dialogs());
  const openAccount = (which: 'add' | 'fund') => () => {
    openLink(linkTo('send'));
    dialogs.account = which;
  };
  const sealLabel = sealing.finalizes ? 'Seal a block and finalize it' : 'Seal a block now';
  const pauseLabel = chain.paused ? 'Resume the block list' : 'Pause the block list';
  const actions: readonly Action[] = [
    ...(context.node.offers('engine_createBlock')
      ? [['seal', sealLabel, 'engine_createBlock', '', () => void sealing.seal()] as const]
      : []),
    ['pause', pauseLabel, '', '', () => chain.togglePause()],
    ['account', 'Add or generate an account…', '', 'new key import wallet', openAccount('add')],
    ...(context.node.offers('dev_fund')
      ? [['fund', 'Fund an account…', 'dev_fund', 'balance money faucet', openAccount('fund')] as const]
      : []),
    ...(dialogs.undo
      ? [['undo', 'Undo the last edit of the state…', '', 'storage', dialogs.undo] as const]
      : []),
    ...(session === null ? [] : ownActions(context, dialogs)),
    // When embedded, the URL belongs to the host page.
    ...(session === null && context.node.remote === null
      ? []
      : [['connect', 'Connect to a node…', '', 'remote ws://', () => location.assign(connectHref)] as const]),
    ...(agentAccess(context) === null
      ? []
      : [
          [
            'agents',
            'Let agents write, or see their tools',
            'WebMCP',
            'mcp ai',
            linkTo('node', 'agents'),
          ] as const,
        ]),
    ...themes.map(
      (theme) => [`theme:${theme}`, `Theme: ${theme}`, '', '', () => chooseTheme(theme)] as const,
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
    ...(session?.book.entries ?? []).map((entry) => ({
      id: `chain:${entry.id}`,
      group: 'Chains',
      label: entry.name,
      hint: entry.id === session?.entry?.id ? 'open now' : 'switch to it',
      run: linkToChain(entry.id),
    })),
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
        words: `${pallet.name}.${item.name}` === 'System.Account' ? 'balance free nonce' : '',
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
  const meta = context.metas.best;
  return [
    ...actionCommands(context, session),
    ...pageCommands(context),
    ...(meta === null ? [] : runtimeCommands(meta)),
    ...methodCommands(methods),
  ];
};

const maxShown = 60;

/** Groups of the page itself rank above matches from the runtime and the node. */
const ownGroups: readonly string[] = ['Go to', 'Do', 'Chains'];

/**
 * Commands that contain every typed word. Exact labels rank first, then the page's own groups, then labels
 * that start with the first word; methods rank last.
 */
export const filterCommands = (commands: readonly Command[], typed: string): readonly Command[] => {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return commands.slice(0, 24);
  const first = words[0] ?? '';
  const rank = ({ label, group, words: more = '' }: Command): number => {
    const text = label.toLowerCase();
    if (text === first) return 0;
    if (ownGroups.includes(group) && ` ${text} ${more}`.includes(` ${first}`)) return 1;
    // System.Account, which stores balances, ranks above the entries of pallet Balances.
    if (group === 'Storage' && ` ${more}`.includes(` ${first}`)) return 1;
    const close = text.startsWith(first)
      ? 2
      : text.includes(`.${first}`) || text.includes(`_${first}`)
        ? 3
        : 4;
    return group === 'RPC' ? close + 2 : close;
  };
  return commands
    .filter(({ label, group, words: more = '' }) => {
      const text = `${label} ${group} ${more}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .map((command, index) => ({ command, key: rank(command) * 100_000 + index }))
    .sort((a, b) => a.key - b.key)
    .slice(0, maxShown)
    .map(({ command }) => command);
};
