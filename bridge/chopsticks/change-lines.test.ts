import { expect, it } from 'vitest';
import { changeLines } from './change-lines.ts';

it('prints what differs by name, with what was added to a list, and nothing that is the same', () => {
  const index = '0x3a65787472696e7369635f696e646578';
  const before = {
    system: {
      eventCount: 1,
      events: ['a'],
      blockWeight: { normal: 0, mandatory: 5 },
      account: { alice: { nonce: 0 } },
      digest: ['x'],
    },
    [index]: '0x01',
    '0x3aff': '0x01',
  };
  const after = {
    system: {
      eventCount: 1,
      events: ['a', { b: 1 }],
      blockWeight: { normal: 7, mandatory: 5 },
      account: { alice: { nonce: 1 } },
      digest: ['y', 'z'],
    },
    [index]: '0x02',
    '0x3aff': null,
  };
  expect(changeLines(before, after)).toEqual([
    '  system.events: 1 added',
    '    {"b":1}',
    '  system.blockWeight.normal: 0 → 7',
    '  system.account.alice: {"nonce":0} → {"nonce":1}',
    '  system.digest: ["x"] → ["y","z"]',
    '  :extrinsic_index: "0x01" → "0x02"',
    '  0x3aff: "0x01" → null',
  ]);
});
