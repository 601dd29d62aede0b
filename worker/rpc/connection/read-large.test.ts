import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CustomHandler } from '../../../src/protocol/custom.ts';
import {
  maxBatch,
  maxCharactersWaiting,
  maxRequestCost,
  maxTextsWaiting,
  maxWholeText,
} from '../../../src/protocol/limits.ts';
import { yieldNow } from '../../tasks/pace.ts';
import type { CustomTable } from '../custom.ts';
import { dialects } from '../dialects/psp6.ts';
import { readIncoming } from './envelope.ts';
import { connect } from './fake-connection.fixture.ts';
import { readLarge } from './read-large.ts';

const own = (call: CustomHandler): { readonly custom: CustomTable } => ({
  custom: new Map([['own_call', { name: 'own_call', doc: '', safety: 'safe', call }]]),
});
const call = (id: number, params = '[]'): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"own_call","params":${params}}`;
/** Makes a text too large to be parsed at once, without changing what it says. */
const pad = ' '.repeat(maxWholeText);
const errorText = (code: number, message: string, limit?: number, id: number | null = null): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id,
    error: { code, message, ...(limit !== undefined && { data: `Exceeded max limit of ${limit}` }) },
  });
const malformed = errorText(-32700, 'Parse error');

/** Pauses at every chance, and calls `onPause`. */
const slow = (onPause: () => void) => ({
  startPace: () => ({
    isDue: () => true,
    pause: async () => {
      await yieldNow();
      onPause();
    },
  }),
});

describe('a large text', () => {
  const member = fc.constantFrom(
    '"id":1',
    '"id":"two"',
    '"id":1.0',
    '"id":18446744073709551615',
    '"jsonrpc":"2.0"',
    '"method":"own_call"',
    '"params":[]',
    '"params":[ ]',
    '"params":{"id":1.0,"id":[]}',
    '"x":[{"id":1}]',
  );
  const object = fc.array(member, { maxLength: 6 }).map((members) => `{${members}}`);
  const element = fc.oneof(
    { weight: 5, arbitrary: object },
    fc.constantFrom('7', '[]', '[1]', '["2.0",1,"own_call",[]]', '{"id":1', ' ', '"a'),
  );
  const text = fc.oneof(
    element,
    fc.array(element).map((all) => `[${all}]`),
    fc.array(object).map((all) => `[${all.join(' ,\n')}] `),
  );

  it.each(Object.values(dialects))('says the same to $name as when it is read at once', async (dialect) => {
    const pace = { isDue: () => false, pause: () => null };
    const { signal } = new AbortController();
    await fc.assert(
      fc.asyncProperty(text, async (one) => {
        const whole = readIncoming(one, dialect);
        expect(await readLarge(one, { dialect, maxBatch, pace, signal })).toEqual(whole);
      }),
      { seed: 11, numRuns: 1000 },
    );
  });

  it('is answered in full and in order', async () => {
    const { connection } = connect(
      {},
      own(async () => 'done'),
    );
    const texts = Array.from({ length: 5000 }, (_, id) => call(id));
    const answers = JSON.parse((await connection.handle(`[${texts}]`)) ?? '') as {
      id: number;
      result: string;
    }[];
    expect(answers.map(({ id }) => id)).toEqual(texts.map((_, id) => id));
    expect(answers.every(({ result }) => result === 'done')).toBe(true);
  });

  it('calls nothing if it is malformed', async () => {
    let calls = 0;
    const { connection } = connect(
      {},
      own(async () => ++calls),
    );
    for (const tail of ['', ',]', ',1}', ']]', '] x', ',"'])
      expect(await connection.handle(`[${call(1)},${pad}${call(2)}${tail}`)).toBe(malformed);
    expect(calls).toBe(0);
    expect(await connection.handle(`[${pad}]`)).toBe(errorText(-32600, 'Invalid request'));
    expect(await connection.handle(`[${call(1)},${pad}${call(2)}]`)).toContain('"result":2');
    expect(await connection.handle(`${pad}${call(1)}`)).toContain('"result":3');
  });

  it('is refused if one of its requests has too many values, and calls nothing', async () => {
    let calls = 0;
    const { connection } = connect(
      {},
      own(async () => ++calls),
    );
    const list = (many: number): string => `[${'0,'.repeat(many - 1)}0]`;
    const text = 'The request has too many values';
    const tooMany = errorText(-32007, text, maxRequestCost);
    // With the id of the call, whose client would wait for it forever.
    expect(await connection.handle(call(1, list(maxRequestCost)))).toBe(
      errorText(-32007, text, maxRequestCost, 1),
    );
    expect(await connection.handle(call(1, list(maxRequestCost)).replace('{', '{ '))).toBe(tooMany);
    expect(await connection.handle(`[${call(1)},${call(2, list(maxRequestCost))}`)).toBe(tooMany);
    expect(calls).toBe(0);
    expect(
      await connection.handle(`[${[1, 2, 3].map((id) => call(id, list(maxRequestCost - 200)))}]`),
    ).toContain('"id":3,"result":3');
  });

  it('may set a hundred thousand pairs', async () => {
    let pairs = 0;
    const take: CustomHandler = async (given) => {
      pairs = (given as readonly (readonly unknown[])[])[0]?.length ?? 0;
    };
    const { connection } = connect({}, own(take));
    const all = Array.from(
      { length: 100_000 },
      (_, at) => `["0x${at.toString(16).padStart(8, '0')}","0x01"]`,
    );
    expect(await connection.handle(call(1, `[[${all}]]`))).toContain('"result":null');
    expect(pairs).toBe(100_000);
  });

  it('is refused as soon as its batch is too long', async () => {
    const { connection } = connect(
      { limits: { maxBatch: 100 } },
      own(async () => 1),
    );
    const batch = (many: number): string => `[${Array.from({ length: many }, (_, id) => call(id))}${pad}`;
    expect(await connection.handle(`${batch(100)}]`)).toContain('"id":99');
    expect(await connection.handle(`${batch(101)}]`)).toBe(
      errorText(-32010, 'The batch request was too large', 100),
    );
  });
});

describe('while a large text is read', () => {
  const largeCall = (id: number): string => call(id, `[${id},"${'a'.repeat(40 * maxWholeText)}"]`);
  const large = largeCall(1);

  it('other clients are answered', async () => {
    const order: string[] = [];
    const { server, connection } = connect({}, { ...own(async () => 1), ...slow(() => order.push('pause')) });
    const other = server.connect((text) => order.push(text), {
      dialect: 'polkadot-sdk',
      denyUnsafe: false,
      transport: 'ws',
    });
    const answered = connection.handle(large).then(() => order.push('large'));
    setImmediate(() => other.receive(call(7)));
    await answered;
    const at = order.findIndex((one) => one.includes('"id":7'));
    expect(at).toBeGreaterThanOrEqual(0);
    expect(order.slice(at).filter((one) => one === 'pause').length).toBeGreaterThan(20);
  });

  it('later texts of the same client wait, and are called in order', async () => {
    const called: unknown[] = [];
    const note: CustomHandler = async (given) => void called.push((given as readonly unknown[])[0]);
    const { connection, sent } = connect({}, { ...own(note), ...slow(() => undefined) });
    connection.receive(large);
    connection.receive(call(2, '[2]'));
    connection.receive(largeCall(3));
    connection.receive(call(4, '[4]'));
    expect(sent).toEqual([]);
    await expect.poll(() => sent.length).toBe(4);
    expect(called).toEqual([1, 2, 3, 4]);
    expect(sent.map((one) => (JSON.parse(one) as { id: number }).id)).toEqual([1, 2, 3, 4]);
  });

  it('calls over HTTP do not wait for each other', async () => {
    const order: number[] = [];
    const { connection } = connect(
      { transport: 'http' },
      { ...own(async () => 1), ...slow(() => undefined) },
    );
    const first = connection.handle(large).then(() => order.push(1));
    await connection.handle(call(2)).then(() => order.push(2));
    await first;
    expect(order).toEqual([2, 1]);
  });

  it('no more texts wait than a limit', async () => {
    const { connection, sent } = connect(
      {},
      own(async () => 1),
    );
    connection.receive(large);
    for (let id = 0; id < maxTextsWaiting; id += 1) connection.receive('{}');
    expect(sent).toEqual([]);
    connection.receive(call(9));
    expect(sent).toEqual([errorText(-32009, 'Server is busy, try again later', undefined, 9)]);
    await expect.poll(() => sent.length, { timeout: 20_000 }).toBe(maxTextsWaiting + 2);
    connection.receive(call(9));
    await expect.poll(() => sent.at(-1)).toContain('"id":9,"result":1');
  });

  it('a batch that cannot wait is refused with the ids of its calls, and one call may wait however long it is', async () => {
    const { connection, sent } = connect(
      {},
      own(async () => 1),
    );
    connection.receive(large);
    connection.receive(call(7, `[${' '.repeat(maxCharactersWaiting)}]`));
    expect(sent).toEqual([]);
    connection.receive(`[${call(8)},${call(9)}]`);
    const busy = (id: number) => errorText(-32009, 'Server is busy, try again later', undefined, id);
    expect(sent).toEqual([`[${busy(8)},${busy(9)}]`]);
    connection.close();
  });

  it('a client that leaves is read no further, and nothing is called for it', async () => {
    let calls = 0;
    let pauses = 0;
    const { connection, sent } = connect({}, { ...own(async () => ++calls), ...slow(() => void pauses++) });
    connection.receive(large);
    connection.receive(call(2));
    connection.close();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([calls, pauses < 5, sent]).toEqual([0, true, []]);
  });
});
