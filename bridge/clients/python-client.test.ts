import { describe, expect, it } from 'vitest';
import { findPython, runPython } from '../../test/clients/python.ts';
import { serving } from './serving.fixture.ts';

const found = await findPython();
const title = `py-substrate-interface over tabnode serve${'missing' in found ? `: ${found.missing}` : ''}`;

type Report = {
  chain: string;
  name: string;
  runtime: number;
  success: boolean;
  fee: number;
  paid: number;
  received: number;
  events: string[];
  watched: string[];
  head: number;
};

describe.skipIf('missing' in found)(title, () => {
  const node = serving('--dev', '--seal', 'instant', '--finality', 'instant');

  it('queries, composes, submits and watches events', { timeout: 180_000 }, async () => {
    if ('missing' in found) throw new Error(found.missing);
    const url = `${node().ready.ws}/?dialect=polkadot-sdk`;
    const report = JSON.parse(await runPython(found.python, 'client.py', url)) as Report;
    expect(report).toMatchObject({ chain: 'Development', name: 'Tabnode', success: true, head: 2 });
    expect(report.received).toBe(1e12);
    expect(report.paid).toBe(report.fee);
    expect(report.events).toEqual(expect.arrayContaining(['Transfer', 'ExtrinsicSuccess']));
    expect(report.watched).toEqual(expect.arrayContaining(['Remarked', 'ExtrinsicSuccess']));
  });
});
