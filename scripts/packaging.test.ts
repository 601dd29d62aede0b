import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parseServeArguments } from '../bridge/arguments.ts';
import { pageHeaders } from '../bridge/page-headers.ts';

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8');

it('the container serves all of its interfaces on the ports that it names', () => {
  const file = read('packaging/Containerfile');
  const [, command = ''] = /^CMD (\[.+\])$/m.exec(file) ?? [];
  const [name, ...args] = JSON.parse(command) as string[];
  expect(name).toBe('serve');
  const { basePath, rpc } = parseServeArguments(args);
  const { ws, http } = rpc;
  expect(`EXPOSE ${ws.port} ${http.port}`).toBe(/^EXPOSE .+$/m.exec(file)?.[0]);
  expect([ws.host, http.host]).toEqual(['0.0.0.0', '0.0.0.0']);
  expect(file).toContain(`VOLUME ${basePath}\n`);
  expect(file).toContain(`http://127.0.0.1:${http.port}/health`);
});

it('the service runs a command that there is, in the folder that systemd makes', () => {
  const file = read('packaging/tabnode.service');
  const [, line = ''] = /^ExecStart=\/usr\/bin\/env tabnode serve (.+)$/m.exec(file) ?? [];
  const { basePath, rpc } = parseServeArguments(line.split(' '));
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of systemd
  expect(basePath).toBe('${STATE_DIRECTORY}');
  expect(rpc.ws.host).toBe('127.0.0.1');
});

it('the page on hosting names the headers that the page server sends', () => {
  const page = read('docs/hosting.md');
  for (const [name, value] of Object.entries(pageHeaders(null))) expect(page).toContain(`${name}: ${value}`);
});
