import { concatBytes } from '../bytes/bytes.ts';
import type { ModuleCode } from '../crypto/crypto.ts';
import { createLeb, encodeLeb, type Leb } from './leb.ts';

/** LEB immediates per opcode; what is not here has none, or is told apart below. */
const counts: Readonly<Record<number, number>> = { 2: 1, 3: 1, 4: 1, 12: 1, 13: 1, 16: 1, 17: 2 };
const countOf = (opcode: number): number => {
  if (opcode >= 0x28 && opcode <= 0x3e) return 2;
  if ((opcode >= 0x20 && opcode <= 0x26) || (opcode >= 0x3f && opcode <= 0x42)) return 1;
  return opcode === 0xd0 || opcode === 0xd2 ? 1 : (counts[opcode] ?? 0);
};
const skipLebs = (leb: Leb, count: number): void => {
  for (let i = 0; i < count; i++) leb.skipLeb();
};

const skipPrefixed = (leb: Leb): boolean => {
  const opcode = leb.u32();
  skipLebs(leb, [8, 10, 12, 14].includes(opcode) ? 2 : Number(opcode > 7));
  return [9, 12, 13, 14, 15, 17].includes(opcode);
};

/**
 * What crates/crypto/src/module.rs does, for tests: written for reading, over code that an engine takes, one
 * instruction after the other.
 */
export const patchCodeByReference: ModuleCode['patchCode'] = (code, { fuel, grow }) => {
  const leb = createLeb(code, 0);
  let usesMemorySize = false;
  let needsFreshInstance = false;
  const patchBody = (start: number, end: number): Uint8Array => {
    leb.seek(start);
    skipLebs(leb, leb.u32() * 2);
    const parts = [code.subarray(start, leb.at()), fuel];
    while (leb.at() < end) {
      const from = leb.at();
      const opcode = leb.u8();
      if (opcode === 0x0e) skipLebs(leb, leb.u32() + 1);
      else if (opcode === 0x1c) skipLebs(leb, leb.u32());
      else if (opcode === 0x43) leb.skip(4);
      else if (opcode === 0x44) leb.skip(8);
      else if (opcode === 0xfc) needsFreshInstance = skipPrefixed(leb) || needsFreshInstance;
      else skipLebs(leb, countOf(opcode));
      const instruction = code.subarray(from, leb.at());
      if (opcode === 0x40) parts.push(grow);
      parts.push(instruction);
      if (opcode === 0x03) parts.push(fuel);
      usesMemorySize ||= opcode === 0x3f || opcode === 0x40;
      needsFreshInstance ||= opcode === 0x26;
    }
    return concatBytes(...parts);
  };
  const count = leb.u32();
  const bodies: Uint8Array[] = [Uint8Array.from(encodeLeb(count))];
  for (let i = 0; i < count; i++) {
    const size = leb.u32();
    const end = leb.at() + size;
    const body = patchBody(leb.at(), end);
    bodies.push(Uint8Array.from(encodeLeb(body.length)), body);
    leb.seek(end);
  }
  return { bytes: concatBytes(...bodies), usesMemorySize, needsFreshInstance };
};
