// The tables of docs/security.md, generated from the settings behind the flags and from the method table.
import { parseServeArguments } from '../../bridge/cli/arguments.ts';
import { deniedTo, pageOf } from '../../bridge/server/access.ts';
import type { DenyUnsafe, Dialect } from '../../src/protocol/node.ts';
import { type Entry, isDenied } from '../../src/protocol/rpc/define.ts';
import { rpcTable } from '../../src/protocol/rpc/index.ts';

/** The relevant flags; ports and limits do not affect who may call what. */
const flagSets: readonly string[] = [
  '',
  '--dev',
  '--rpc-methods safe',
  '--rpc-methods unsafe',
  '--rpc-cors all',
  '--rpc-cors none',
  '--rpc-cors https://app.example',
  '--rpc-external --ws-external',
  '--rpc-external --ws-external --rpc-cors all',
  '--rpc-external --ws-external --rpc-methods unsafe',
  '--rpc-external',
  '--ws-external',
];

const clients: readonly (readonly [who: string, origin: string | undefined])[] = [
  ['programs', undefined],
  ['pages of this machine', 'http://localhost:3000'],
  ['explorers, wallets', 'https://polkadot.js.org'],
  ['https://app.example', 'https://app.example'],
];

const doors = ['ws', 'http'] as const;
const doorNames = { ws: 'WebSocket', http: 'HTTP' } as const;

type Door = (typeof doors)[number];

/** What a client may not call; null if it is refused entirely. */
const deniedOf = (
  flags: string,
  dialect: Dialect,
  [address, kind]: readonly [Door, Door],
  origin: string | undefined,
): DenyUnsafe | null => {
  const argv = flags.split(' ').filter((flag) => flag !== '');
  const { rpc } = parseServeArguments(['--dialect', dialect, ...argv]);
  const page = pageOf(origin, rpc.cors);
  return page === 'foreign' ? null : deniedTo(page, rpc[address], rpc[kind]);
};

/** Describes what is denied by a node with dialect psp-6, and by one with polkadot-sdk. */
const words: Readonly<Record<string, string>> = {
  'null null': 'refused',
  'false false': 'everything',
  'true true': 'safe by both',
  'psp-6 polkadot-sdk': "safe by the node's",
  'polkadot-sdk polkadot-sdk': 'safe by polkadot-sdk',
  'true polkadot-sdk': "safe by polkadot-sdk and the node's",
};

const rowsOf = (flags: string): readonly string[] => {
  const pairs = doors.flatMap((address) => doors.map((kind) => [address, kind] as const));
  const cellsOf = (pair: readonly [Door, Door]): string =>
    clients
      .map(([, origin]) => {
        const denied = (['psp-6', 'polkadot-sdk'] as const).map((one) => deniedOf(flags, one, pair, origin));
        const [own, sdk] = denied.map(String);
        const text = words[`${own} ${sdk}`];
        if (text === undefined) throw new Error(`There are no words for ${own} and ${sdk}`);
        return text;
      })
      .join(' | ');
  const groups = Map.groupBy(pairs, cellsOf);
  return [...groups].map(([cells, same]) => {
    const where =
      same.length === pairs.length
        ? 'all'
        : same.map(([address, kind]) => `${doorNames[kind]} by the ${doorNames[address]} address`).join(', ');
    return `| ${flags === '' ? 'none' : `\`${flags}\``} | ${where} | ${cells} |`;
  });
};

const rightsTable = (): string =>
  [
    `| flags | requests | ${clients.map(([who]) => who).join(' | ')} |`,
    `| --- | --- |${' --- |'.repeat(clients.length)}`,
    ...flagSets.flatMap(rowsOf),
  ].join('\n');

/** Methods that are unsafe when called without arguments, by who marks them. */
const markedTable = (): string => {
  const entries = Object.entries<Entry>(rpcTable).sort(([a], [b]) => (a < b ? -1 : 1));
  const marksOf = (entry: Entry): string =>
    (['psp-6', 'polkadot-sdk'] as const).filter((dialect) => isDenied(entry, dialect, {})).join(' and ');
  const groups = Map.groupBy(entries, ([, entry]) => marksOf(entry));
  return [
    '| unsafe by | methods |',
    '| --- | --- |',
    ...['psp-6 and polkadot-sdk', 'psp-6', 'polkadot-sdk'].map((marks) => {
      const names = (groups.get(marks) ?? []).map(([name, { sdkUnsafeWithout }]) =>
        sdkUnsafeWithout === undefined ? `\`${name}\`` : `\`${name}\` without \`${sdkUnsafeWithout}\``,
      );
      return `| ${marks} | ${names.join(', ')} |`;
    }),
  ].join('\n');
};

const begin = '<!-- made by npm run docs: -->';
const end = '<!-- end -->';

/** The page with its tables regenerated; the text around them is written by hand. */
export const updateSecurityPage = (page: string): string => {
  const [before, after] = [page.indexOf(begin), page.indexOf(end)];
  if (before < 0 || after < before) throw new Error(`docs/security.md lacks "${begin}" and "${end}"`);
  return `${page.slice(0, before + begin.length)}\n\n${rightsTable()}\n\n${markedTable()}\n\n${page.slice(after)}`;
};
