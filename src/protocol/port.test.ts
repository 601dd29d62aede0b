import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { nodeEndpoint, onPortMessage } from './port.ts';

const loadsFetch = (line: string): boolean => {
  const script = `
    import { onPortMessage } from ${JSON.stringify(new URL('./port.ts', import.meta.url).href)};
    const { port1, port2 } = new MessageChannel();
    const end = () => {
      console.log(process.moduleLoadList.includes('NativeModule internal/deps/undici/undici'));
      port1.close();
    };
    ${line}
    port2.postMessage(null);`;
  const options = ['--input-type=module', '--disable-warning=ExperimentalWarning', '-e', script];
  const { stdout, stderr } = spawnSync(process.execPath, options, { encoding: 'utf8' });
  if (!/^(true|false)\n$/.test(stdout)) throw new Error(stderr);
  return stdout === 'true\n';
};

test('listening to a port does not make Node.js load its fetch, as an event does', () => {
  expect(loadsFetch('onPortMessage(port1, end);')).toBe(false);
  expect(loadsFetch('port1.onmessage = end;')).toBe(true);
});

test('an endpoint delivers messages until its listener is removed', async () => {
  const { port1, port2 } = new MessageChannel();
  const endpoint = nodeEndpoint(port1);
  const first: unknown[] = [];
  const second: unknown[] = [];
  const listener = ({ data }: { data?: unknown }): void => void first.push(data);
  endpoint.addEventListener('message', listener as EventListener);
  const events = { handleEvent: (event: Event) => void second.push((event as MessageEvent).data) };
  endpoint.addEventListener('message', events);
  port2.postMessage('one');
  await once(port1, 'message');
  endpoint.removeEventListener('message', listener as EventListener);
  port2.postMessage('two');
  await once(port1, 'message');
  expect([first, second]).toEqual([['one'], ['one', 'two']]);
  const answered = new Promise((resolve) => onPortMessage(port2 as unknown as MessagePort, resolve));
  endpoint.postMessage('back');
  expect(await answered).toBe('back');
  port1.close();
});
