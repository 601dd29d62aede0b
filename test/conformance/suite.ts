import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { caseOf } from './cases.ts';
import { rowIds, sections } from './rows.ts';
import type { World } from './world.ts';

/**
 * Rows that cannot hold yet, each with the reason. Such a row is run too: it is shown as skipped while it fails, and once it
 * holds, the suite fails until the entry is gone.
 */
export const pending: readonly { readonly rows: readonly string[]; readonly reason: string }[] = [
  {
    rows: [
      '4.10/sync_state_genSyncSpec',
      '2.2 structures/Chain-specification',
      ...(sections['2.2 specification'] ?? []).map((name) => `2.2 specification/${name}`),
    ],
    reason:
      'the specification for light clients needs the GRANDPA authority set; documented error 1 till then',
  },
];
const reasonOf = (id: string): string | undefined => pending.find(({ rows }) => rows.includes(id))?.reason;

/** Rows of transports that this one is not. */
const notApplicable = (id: string, world: World): string | null =>
  id === '1/HTTP' && world.http === null
    ? "a port to a worker has no HTTP: the door is tabnode serve's"
    : null;

/** Runs a test per row over one transport and prints what is covered. */
export const runConformance = (transport: string, open: () => Promise<World>): void => {
  describe(`PSP-6 over ${transport}`, () => {
    let world: World;
    const passed: string[] = [];
    const waiting: string[] = [];
    const other: string[] = [];
    beforeAll(async () => {
      world = await open();
    });
    afterAll(async () => {
      const text = `PSP-6 over ${transport}: ${passed.length} of ${rowIds.length} rows hold; not applicable: ${other.join(', ') || 'none'}; pending: `;
      // biome-ignore lint/suspicious/noConsole: the coverage belongs in the run's output
      console.info(text + (waiting.join(', ') || 'none'));
      await world?.close();
    });

    it('has a test for every row', () => {
      expect(rowIds.filter((id) => caseOf(id) === undefined)).toEqual([]);
      expect(pending.flatMap(({ rows }) => rows).filter((id) => !rowIds.includes(id))).toEqual([]);
    });

    it.for(rowIds)('%s', { timeout: 120_000 }, async (id, { skip }) => {
      const test = caseOf(id);
      if (test === undefined) throw new Error('no test');
      const elsewhere = notApplicable(id, world);
      if (elsewhere !== null) {
        other.push(id);
        skip(`not applicable: ${elsewhere}`);
      }
      const reason = reasonOf(id);
      if (reason !== undefined) {
        const failure: unknown = await test(world).then(
          () => null,
          (error) => error,
        );
        if (failure === null) throw new Error('The row holds: take it from the pending ones');
        waiting.push(id);
        skip(`pending: ${reason}`);
      }
      await test(world);
      passed.push(id);
    });
  });
};
