import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { caseOf } from './cases.ts';
import { rowIds } from './rows.ts';
import type { World } from './world.ts';

/** Rows of other transports. */
const notApplicable = (id: string, world: World): string | null =>
  id === '1/HTTP' && world.http === null
    ? "a port to a worker has no HTTP: the door is tabnode serve's"
    : null;

/** Runs a test per row over one transport and prints the coverage. */
export const runConformance = (transport: string, open: () => Promise<World>): void => {
  describe(`PSP-6 over ${transport}`, () => {
    let world: World;
    const passed: string[] = [];
    const other: string[] = [];
    beforeAll(async () => {
      world = await open();
    });
    afterAll(async () => {
      const text = `PSP-6 over ${transport}: ${passed.length} of ${rowIds.length} rows hold; not applicable: `;
      // biome-ignore lint/suspicious/noConsole: the coverage belongs in the run's output
      console.info(text + (other.join(', ') || 'none'));
      await world?.close();
    });

    it('has a test for every row', () => {
      expect(rowIds.filter((id) => caseOf(id) === undefined)).toEqual([]);
    });

    it.for(rowIds)('%s', { timeout: 120_000 }, async (id, { skip }) => {
      const test = caseOf(id);
      if (test === undefined) throw new Error('no test');
      const elsewhere = notApplicable(id, world);
      if (elsewhere !== null) {
        other.push(id);
        skip(`not applicable: ${elsewhere}`);
      }
      await test(world);
      passed.push(id);
    });
  });
};
