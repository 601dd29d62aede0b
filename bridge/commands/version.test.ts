import { expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { runProcess, startServe } from '../clients/test-process.fixture.ts';

it('the command and its node report the version of package.json', async () => {
  expect(await runProcess('--version')).toEqual({
    code: 0,
    stdout: `tabnode ${packageJson.version}\n`,
    stderr: '',
  });
  const { stdout } = await runProcess('--version', '--json');
  expect(JSON.parse(stdout)).toEqual({ version: packageJson.version });
  const node = await startServe('--dev', '--seal', 'manual');
  const answer = await fetch(node.ready.http, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"system_version","params":[]}',
  });
  expect(await answer.json()).toMatchObject({ result: packageJson.version });
  node.kill('SIGTERM');
  expect((await node.ended).code).toBe(0);
});

it('a mistyped command names the one that was probably meant', async () => {
  expect(await runProcess('try-rutime', '--runtime', 'next.wasm')).toMatchObject({
    code: 1,
    stderr: 'Error BadConfig: There is no command "try-rutime". Did you mean try-runtime?\n',
  });
  expect((await runProcess('xyz')).stderr).toContain('There is no command "xyz"; see tabnode --help');
});
