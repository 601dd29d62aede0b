import { expect, it } from 'vitest';
import { hear } from '../../src/protocol/hear.ts';
import { createLocalPorts } from './local-ports.ts';

it('queues messages until there is a listener', () => {
  const [near, far] = createLocalPorts();
  const heard: unknown[] = [];
  far.postMessage('a');
  far.postMessage({ note: 'b' });
  hear(near, (data) => heard.push(data));
  far.postMessage(['c', 'd']);
  expect(heard).toEqual(['a', { note: 'b' }, ['c', 'd']]);
});

it('notifies both sides once when either closes, and delivers nothing afterwards', () => {
  const [near, far] = createLocalPorts();
  const heard: unknown[] = [];
  hear(near, (data) => heard.push(data));
  near.addEventListener('close', () => heard.push('near closed'));
  far.addEventListener('close', () => heard.push('far closed'));
  far.close();
  near.close();
  far.postMessage('late');
  near.postMessage('late');
  expect(heard).toEqual(['near closed', 'far closed']);
});
