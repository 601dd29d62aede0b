import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parseServeArguments } from '../bridge/cli/arguments.ts';
import { pageHeaders } from '../bridge/pages/page-server.ts';

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

it('the container has the Node.js of this repository and the command of the package', () => {
  const file = read('packaging/Containerfile');
  const { bin, devDependencies } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
  const [major] = devDependencies?.['node']?.split('.') ?? [];
  for (const [, image] of file.matchAll(/^FROM (\S+)/gm))
    expect(image).toBe(`docker.io/library/node:${major}-trixie-slim`);
  const [name] = Object.keys(bin ?? {});
  expect(file).toContain(`ln -s /opt/tabnode/bin/${name} /usr/local/bin/${name} `);
  expect(file).toContain(`ENTRYPOINT ["${name}"]`);
});

const canVerify = spawnSync('systemd-analyze', ['--version']).status === 0;

it.skipIf(!canVerify)('systemd accepts the service', () => {
  const file = fileURLToPath(new URL('../packaging/tabnode.service', import.meta.url));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

it('the page on hosting names the headers that the page server sends', () => {
  const page = read('docs/hosting.md');
  for (const [name, value] of Object.entries(pageHeaders(new URLSearchParams())))
    expect(page).toContain(`${name}: ${value}`);
});
