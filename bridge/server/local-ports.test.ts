import { expect, it } from 'vitest';
import { onPortMessage } from '../../src/protocol/port.ts';
import { createLocalPorts } from './local-ports.ts';

it('queues messages until there is a listener', () => {
  const [near, far] = createLocalPorts();
  const onClose: unknown[] = [];
  far.postMessage('a');
  far.postMessage({ note: 'b' });
  onPortMessage(near, (data) => onClose.push(data));
  far.postMessage(['c', 'd']);
  expect(onClose).toEqual(['a', { note: 'b' }, ['c', 'd']]);
});

it('notifies both sides once when either closes, and delivers nothing afterwards', () => {
  const [near, far] = createLocalPorts();
  const onClose: unknown[] = [];
  onPortMessage(near, (data) => onClose.push(data));
  near.addEventListener('close', () => onClose.push('near closed'));
  far.addEventListener('close', () => onClose.push('far closed'));
  far.close();
  near.close();
  far.postMessage('late');
  near.postMessage('late');
  expect(onClose).toEqual(['near closed', 'far closed']);
});
