// The styles of all panels are one file, which loads with the client.
import '../../panels.css';
import { type BeginOptions, type Begun, beginNodeIn, prepareIn } from '../../../src/begin.ts';
import { createClient } from '../../../src/client.ts';
import { createHost } from '../../../src/host.ts';
import { savesOf } from '../../../src/tab-node.ts';
import { openShared } from '../../../src/tabs/open-shared.ts';
import { keepStandby, type Standby } from '../../../src/tabs/standby.ts';
import { consoleConnection } from './console-connection.ts';
import { toStartingNode } from './starting-node.ts';
import { toUiNode } from './tab-node.ts';
import type { StartingNode, UiNode } from './ui-node.ts';

/** The docs of all methods are not loaded before someone asks for help. */
const help = async (word?: string): Promise<string> =>
  (await import('../../kit/text/console-help.ts')).consoleHelp(word);

/** Opens a chain through the library, as any dApp could. If another tab runs it, a worker stands by. */
export const openNodeIn = async (
  begun: Begun,
  chain: string,
  options: BeginOptions,
  { known, take, traffic, linksTabs }: StartingNode,
): Promise<readonly [UiNode, Standby | null]> => {
  const seize = () => beginNodeIn(createHost(), options, true);
  // No other tab can go on with a chain in memory.
  const shared = options.storage === 'memory' ? crypto.randomUUID() : chain;
  const opening = openShared(begun, shared, seize);
  if (known !== null) take(toStartingNode(opening, known));
  const { node, isElsewhere, ended } = await opening;
  // The tab that runs the node links it.
  if (linksTabs && !isElsewhere)
    void import('../../../src/tabs/link-tabs.ts').then(
      ({ linkTabs }) => linkTabs(node, ended),
      () => undefined,
    );
  const held = { isFresh: !isElsewhere, isElsewhere, end: () => node.stop() };
  const ui = toUiNode(node, node.connection, held);
  const connection = consoleConnection(ui, node.connection, traffic);
  const rpc = createClient(connection);
  const toConsole = (): void => {
    Object.assign(globalThis, { tabnode: { ...node, connection, rpc, ...savesOf(rpc), help } });
    // biome-ignore lint/suspicious/noConsole: a hint for users who open the console
    console.info('The node of this page is `tabnode`. Try await tabnode.help()');
  };
  const standby = isElsewhere ? keepStandby(chain, ended, () => prepareIn(createHost(), options)) : null;
  return [ui.with({ toConsole }), standby];
};
