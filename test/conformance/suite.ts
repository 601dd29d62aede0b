import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { caseOf } from './cases.ts';
import { rowIds, sections } from './rows.ts';
import { isAbsent, type World } from './world.ts';

/** Rows whose methods are not built yet. They are shown as skipped while their method is not found. */
export const pending: readonly string[] = [
  '2.2 structures/Votes',
  '2.2 structures/RoundState',
  '2.2 structures/Offchain-storage-kinds',
  '2.2 structures/Chain-specification',
  ...(sections['2.2 specification'] ?? []).map((name) => `2.2 specification/${name}`),
  '4.2/system_localPeerId',
  '4.2/system_localListenAddresses',
  '4.2/system_networkState',
  '4.2/system_addReservedPeer',
  '4.2/system_removeReservedPeer',
  '4.2/system_dryRun',
  ...(sections['4.4'] ?? []).map((name) => `4.4/${name}`),
  '4.7/offchain_localStorageSet',
  '4.7/offchain_localStorageGet',
  '4.10/contracts_call',
  '4.10/contracts_getStorage',
  '4.10/contracts_rentProjection',
  '4.10/sync_state_genSyncSpec',
  '4.12 unsafe/system_addReservedPeer',
  '4.12 unsafe/system_removeReservedPeer',
  '6/grandpa_justifications',
  '7 ranges/system',
  '7 ranges/offchain',
];

/** Runs a test per row over one transport and prints what is covered. */
export const runConformance = (transport: string, open: () => Promise<World>): void => {
  describe(`PSP-6 over ${transport}`, () => {
    let world: World;
    const passed: string[] = [];
    const waiting: string[] = [];
    beforeAll(async () => {
      world = await open();
    });
    afterAll(async () => {
      const text = `PSP-6 over ${transport}: ${passed.length} of ${rowIds.length} rows hold; pending: `;
      // biome-ignore lint/suspicious/noConsole: the coverage belongs in the run's output
      console.info(text + (waiting.join(', ') || 'none'));
      await world?.close();
    });

    it('has a test for every row', () => {
      expect(rowIds.filter((id) => caseOf(id) === undefined)).toEqual([]);
      expect(pending.filter((id) => !rowIds.includes(id))).toEqual([]);
    });

    it.for(rowIds)('%s', { timeout: 180_000 }, async (id, { skip }) => {
      const test = caseOf(id);
      if (test === undefined) throw new Error('no test');
      try {
        await test(world);
      } catch (error) {
        if (!pending.includes(id) || !isAbsent(error)) throw error;
        waiting.push(id);
        skip('pending: the method is not built yet');
      }
      passed.push(id);
    });
  });
};
