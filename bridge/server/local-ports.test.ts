import { expect, it } from 'vitest';
import { onPortMessage } from '../../src/protocol/port-messages.ts';
import { createLocalPorts } from './local-ports.ts';

it('queues messages until there is a listener', () => {
  const [near, far] = createLocalPorts();
  const heard: unknown[] = [];
  far.postMessage('a');
  far.postMessage({ note: 'b' });
  onPortMessage(near, (data) => heard.push(data));
  far.postMessage(['c', 'd']);
  expect(heard).toEqual(['a', { note: 'b' }, ['c', 'd']]);
});

it('notifies both sides once when either closes, and delivers nothing afterwards', () => {
  const [near, far] = createLocalPorts();
  const heard: unknown[] = [];
  onPortMessage(near, (data) => heard.push(data));
  near.addEventListener('close', () => heard.push('near closed'));
  far.addEventListener('close', () => heard.push('far closed'));
  far.close();
  near.close();
  far.postMessage('late');
  near.postMessage('late');
  expect(heard).toEqual(['near closed', 'far closed']);
});
