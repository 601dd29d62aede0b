import { createServer } from 'node:net';
import { bad, parseServeArguments, serveOptions } from '../cli/arguments.ts';
import { parsePage } from '../cli/bridge-arguments.ts';
import type { OptionTable } from '../cli/command.ts';
import { parsePort } from '../cli/rpc-settings.ts';
import { forTerminal, type Output, openInBrowser } from '../cli/terminal.ts';
import { createPageServer } from '../pages/page-server.ts';
import type { Served } from '../thread/serve-thread.ts';
import { serveUntilSignal } from './serve.ts';

const host = '127.0.0.1';
const triedPorts = 100;

export const developOptions = {
  ...serveOptions,
  'no-open': { by: 'any', type: 'boolean' },
  page: { by: 'named', type: 'string' },
  'page-port': { by: 'any', type: 'string' },
} as const satisfies OptionTable;

type DevelopArguments = {
  readonly open: boolean;
  /** URL of devtools served elsewhere; null: this command serves them. */
  readonly page: string | null;
  /** Null: the default port, or the next free one. */
  readonly pagePort: number | null;
  /** The options of `tabnode serve`. */
  readonly serve: readonly string[];
};

/** Separates the command's own options from those of `tabnode serve`. */
export const parseDevelopArguments = (argv: readonly string[]): DevelopArguments => {
  const serve: string[] = [];
  const own = new Map<string, string>();
  for (let at = 0; at < argv.length; at += 1) {
    const [name = '', inline] = (argv[at] as string).split(/=(.*)/s, 2);
    if (name === '--no-open') own.set(name, '');
    else if (name === '--page' || name === '--page-port') {
      const value = inline ?? argv[++at];
      if (value === undefined) throw bad(`${name}: a value is missing`);
      own.set(name, value);
    } else serve.push(argv[at] as string);
  }
  const page = own.get('--page');
  const port = own.get('--page-port');
  if (page !== undefined && port !== undefined)
    throw bad('--page and --page-port cannot be combined: the page is served elsewhere, or here');
  return {
    open: !own.has('--no-open'),
    page: page === undefined ? null : parsePage(page),
    pagePort: port === undefined ? null : parsePort('page-port', port),
    serve,
  };
};

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });

/** The first free port from this one on that is not reserved; calls `onBusy` if that is another port. */
const findPort = async (
  first: number,
  taken: readonly number[],
  onBusy: (text: string) => void,
): Promise<number> => {
  for (let port = first; port < first + triedPorts; port += 1) {
    if (taken.includes(port) || !(await isFree(port))) continue;
    if (port !== first) onBusy(`Port ${first} is in use; using ${port} instead.`);
    return port;
  }
  throw bad(`All ports from ${first} to ${first + triedPorts - 1} of ${host} are in use`);
};

const has = (argv: readonly string[], ...names: readonly string[]): boolean =>
  argv.some((argument) => names.includes(argument.split('=', 1)[0] as string));

/** The options of `tabnode serve`, with a chain in memory and free ports as defaults. */
const withDefaults = async (
  argv: readonly string[],
  onBusy: (text: string) => void,
): Promise<readonly string[]> => {
  const added: string[] = has(argv, '--base-path', '-d', '--tmp', '--dev') ? [] : ['--tmp'];
  const http = has(argv, '--rpc-port') ? null : await findPort(9933, [], onBusy);
  if (http !== null) added.push('--rpc-port', `${http}`);
  if (!has(argv, '--ws-port'))
    added.push('--ws-port', `${await findPort(9944, http === null ? [] : [http], onBusy)}`);
  return [...argv, ...added];
};

type Page = { readonly address: string; close(): Promise<void> };

/** The devtools: either served elsewhere, or by a server that this starts. */
const openPage = async (
  { page, pagePort }: DevelopArguments,
  onBusy: (text: string) => void,
): Promise<Page> => {
  if (page !== null) return { address: page, close: async () => undefined };
  const server = await createPageServer();
  const port = pagePort ?? (await findPort(5199, [], onBusy));
  return { address: await server.listen({ host, port }), close: server.close };
};

/** Whether the user sits at this machine, so that a browser may be opened. */
export const hasScreen = (
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): boolean => {
  if (env['CI'] !== undefined) return false;
  if (platform === 'darwin' || platform === 'win32') return true;
  return Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']);
};

const readyText = ({ info, ws, http }: Served, page: string, inMemory: boolean): string =>
  `${forTerminal(info.chainName)}: best block #${info.bestNumber}, genesis ${info.genesisHash}${
    inMemory ? '\n  kept in memory only; --base-path DIR stores it' : ''
  }
  Devtools   ${page}
  WebSocket  ${ws}
  HTTP       ${http}
Ready; stop with Ctrl+C.`;

/** The devtools URL that connects to a node. */
const connectedTo = (page: string, ws: string): string => {
  const url = new URL(page);
  // 0.0.0.0 includes the loopback address. Not percent-encoded, so that the URL stays readable.
  url.search = `rpc=${ws.replace('0.0.0.0', host)}`;
  return url.href;
};

/**
 * `tabnode develop`, or `tabnode` without a command: a development node with devtools connected to it, until
 * a signal.
 */
export const develop = async (argv: readonly string[], output: Output): Promise<void> => {
  const own = parseDevelopArguments(argv);
  const json = has(own.serve, '--json');
  const notes: string[] = [];
  const note = (text: string): void => void notes.push(text);
  const args = parseServeArguments(await withDefaults(own.serve, note));
  const devtools = await openPage(own, note);
  try {
    await serveUntilSignal(args, (served) => {
      const { info, ws, http } = served;
      const { genesisHash, bestNumber } = info;
      const page = connectedTo(devtools.address, ws);
      if (json) output.line(JSON.stringify({ event: 'ready', ws, http, page, genesisHash, bestNumber }));
      else for (const text of [...notes, readyText(served, page, args.basePath === null)]) output.line(text);
      if (own.open && hasScreen(process.env, process.platform)) openInBrowser(page);
    });
  } finally {
    await devtools.close();
  }
};
