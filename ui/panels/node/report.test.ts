import { expect, it } from 'vitest';
import { type Exchange, gone, textBody, valueBody } from '../../node/client/exchange.ts';
import { reportText } from './report.ts';

const exchange = (id: number, more: Partial<Exchange> = {}): Exchange => ({
  id,
  kind: 'call',
  client: 'page',
  isOwn: true,
  method: 'chain_getBlock',
  best: 4,
  atMs: 1_700_000_000_000 + id,
  state: 'ok',
  ms: id,
  ask: valueBody(['a secret argument']),
  answer: valueBody('a secret result'),
  notes: [],
  count: 0,
  lastMs: 0,
  version: 0,
  ...more,
});

const parts = { version: '1.2.3', browser: 'A browser', status: { bestNumber: 4 }, stats: null };

it('contains versions, status, errors and timings, but no arguments or results', () => {
  const fault = new Error('Invalid params');
  const text = reportText({
    ...parts,
    exchanges: [
      exchange(1),
      exchange(3),
      exchange(2),
      exchange(9, { method: 'state_call', state: 'error', answer: valueBody(fault) }),
      exchange(10, { state: 'pending', ms: null, answer: null }),
    ],
  });
  expect(text).toContain('Tabnode 1.2.3\nA browser');
  expect(text).toContain('"bestNumber": 4');
  expect(text).toContain('2023-11-14T22:13:20.009Z page state_call (9 ms): Invalid params');
  expect(text).toContain('chain_getBlock: 4 calls, median 2.0 ms, longest 3.0 ms');
  expect(text).toContain('state_call: 1 call, median');
  expect(text.indexOf('state_call: 1')).toBeLessThan(text.indexOf('chain_getBlock: 4'));
  expect(text).toContain('## Timings\n\n```\nnot available');
  expect(text).not.toContain('secret');
});

it('keeps the last ten errors, each shortened', () => {
  const long = new Error('x'.repeat(1000));
  const exchanges = Array.from({ length: 12 }, (_, id) =>
    exchange(id, { state: 'error', answer: id === 11 ? gone : valueBody(long) }),
  );
  const lines = reportText({ ...parts, exchanges })
    .split('\n')
    .filter((line) => line.startsWith('2023'));
  expect(lines).toHaveLength(10);
  expect(lines[0]).toContain('.002Z');
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(400);
});

it('contains code and message of errors of other clients, and only the failure of calls with secrets', () => {
  const answer = valueBody({ code: -32602, message: 'Invalid params', data: 'a secret' });
  const ask = textBody('"(hidden)"');
  const text = reportText({
    ...parts,
    exchanges: [
      exchange(1, { state: 'error', client: 'ws 3', answer }),
      exchange(2, {
        state: 'error',
        method: 'author_insertKey',
        ask,
        answer: valueBody(new Error('secret')),
      }),
    ],
  });
  expect(text).toContain('ws 3 chain_getBlock (1 ms): -32602: Invalid params');
  expect(text).toContain('author_insertKey (2 ms): (hidden)');
  expect(text).not.toContain('secret');
});

it('says that there were no errors', () => {
  expect(reportText({ ...parts, exchanges: [] })).toContain('## Last errors\n\n```\nnone');
});
