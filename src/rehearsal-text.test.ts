import { describe, expect, it } from 'vitest';
import type { RehearsalReport, RehearsedBlock, RehearsedProof } from './protocol/rehearsal.ts';
import { rehearsalText } from './rehearsal-text.ts';

const proof: RehearsedProof = {
  nodes: 1,
  plain: 20_000_000,
  compact: 12_000_000,
  zstd: 9_000_000,
  limit: 8_912_896,
  isOver: true,
};
const weight = {
  refTime: { used: '3000', limit: '2000', isOver: true },
  proofSize: { used: '1200', limit: null, isOver: false },
};
const block = (number: number): RehearsedBlock => ({
  ...{ number, ms: 1, keysRead: 1, proof, weight, isMigrating: false },
  stateRoot: '0x00',
});

const report: RehearsalReport = {
  block: { number: 4, hash: '0x12' },
  specName: 'tabnode',
  specVersion: { before: 1, after: 2 },
  checks: {
    ...{ selected: 'all', failure: 'it traps (…)', weight: null, ms: 1500, keysRead: 2000 },
    logs: ['runtime: wrong'],
  },
  migration: {
    ...{ ms: 20, keysRead: 3, proof, weight, old: {}, new: {}, omitted: 0 },
    changes: [
      { pallet: 'Balances', item: 'Account', written: 1000, removed: 1 },
      { pallet: '0xabcd', item: null, written: 0, removed: 2 },
    ],
  },
  multiBlock: { pallet: 'MultiBlockMigrations', blocks: 12, outcome: 'unfinished' },
  blocks: Array.from({ length: 12 }, (_, index) => block(5 + index)),
  problems: ['One.', 'Two.'],
  notes: ['Something was not rehearsed.'],
  requests: 1,
  bytes: 1500,
};

describe('the text of a rehearsal', () => {
  const lines = rehearsalText(report).split('\n');

  it('says what is over its limit', () => {
    expect(lines.slice(0, 8)).toEqual([
      'tabnode 1 to 2 on block #4 (0x12)',
      'checks (all): FAILED; 1,500 ms, 2,000 keys read',
      '  runtime: wrong',
      'on_runtime_upgrade: 20 ms, 3 keys read',
      '  weight: ref_time 3,000, 150.0 % of 2,000 OVER THE LIMIT; proof_size 1,200',
      '  proof: 1 node, 20000.0 kB plain, 12000.0 kB compact, 9000.0 kB zstd, 101.0 % of 8912.9 kB OVER THE LIMIT',
      '  Balances.Account: 1,000 written, 1 removed',
      '  0xabcd: 2 removed',
    ]);
    expect(lines.slice(-4)).toEqual([
      'read: 1 request, 1.5 kB',
      'Note: Something was not rehearsed.',
      'PROBLEM: One.',
      'PROBLEM: Two.',
    ]);
  });

  it('leaves out blocks in the middle', () => {
    expect(lines).toContain('multi-block migrations (MultiBlockMigrations): NOT FINISHED after 12 blocks');
    const shown = lines.flatMap((line) => /^block #(\d+)/.exec(line)?.[1] ?? []);
    expect(shown).toEqual(['5', '6', '7', '8', '9', '12', '13', '14', '15', '16']);
    expect(lines).toContain('… 2 more blocks …');
  });

  it('says where a runtime reports nothing', () => {
    const short = rehearsalText({ ...report, checks: null, migration: null, blocks: null, problems: [] });
    expect(short).toContain(
      'checks: none, the runtime was built without try-runtime\non_runtime_upgrade: FAILED',
    );
    expect(short.endsWith('No problems were found.')).toBe(true);
  });
});
