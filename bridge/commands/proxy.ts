import { readFile } from 'node:fs/promises';
import { bad } from '../cli/arguments.ts';
import { parseProxyArguments } from '../cli/proxy-arguments.ts';
import type { Output } from '../cli/terminal.ts';
import { type AllowList, readAllowList } from '../proxy/allow-list.ts';
import { createProxyPorts } from '../proxy/proxy-ports.ts';
import { openServers } from '../server/open-servers.ts';

const loadList = async (path: string): Promise<AllowList> => {
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw bad(`${path} cannot be read`, cause);
  });
  return readAllowList(path, text);
};

const waitForEnd = (): Promise<void> =>
  new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });

/** `tabnode proxy`: forwards the methods of an allow-list to another node until a signal. */
export const proxy = async (argv: readonly string[], output: Output): Promise<void> => {
  const { allow, to, dialect, rpc, json } = parseProxyArguments(argv);
  const list = await loadList(allow);
  const end = waitForEnd();
  const servers = await openServers(createProxyPorts(to, list), { dialect, rpc });
  const { ws, http } = servers;
  if (json) output.line(JSON.stringify({ event: 'ready', ws, http, to }));
  else
    output.line(`Calls of ${list.size === 1 ? 'one line' : `${list.size} lines`} of ${allow} go to ${to}
  WebSocket  ${ws}
  HTTP       ${http}
Ready; stop with Ctrl+C.`);
  await end;
  await servers.close();
};
