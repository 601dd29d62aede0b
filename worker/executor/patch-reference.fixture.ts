import { concatBytes } from '../bytes/bytes.ts';
import type { ModuleCode } from '../crypto/crypto.ts';
import { createLeb, encodeLeb, type Leb } from './leb.ts';

/** Number of LEB immediates per opcode. Opcodes that are not listed have none, or are handled below. */
const counts: Readonly<Record<number, number>> = { 2: 1, 3: 1, 4: 1, 16: 1, 17: 2 };
const countOf = (opcode: number): number => {
  if (opcode >= 0x28 && opcode <= 0x3e) return 2;
  if ((opcode >= 0x20 && opcode <= 0x24) || (opcode >= 0x3f && opcode <= 0x42)) return 1;
  return counts[opcode] ?? 0;
};
const skipLebs = (leb: Leb, count: number): void => {
  for (let i = 0; i < count; i++) leb.skipLeb();
};

/**
 * This many plain instructions cost one unit of fuel; after the second number of them, another check is
 * inserted.
 */
const [rate, stretch] = [64, 256];
/** In functions of at least this many bytes, each instruction counts four times. */
const large = 65_536;

type Range = readonly [from: number, to: number];
const weights: readonly (readonly [weight: number, ...ranges: Range[]])[] = [
  [rate, [0x6d, 0x70], [0x7f, 0x82], [0x91, 0x91], [0x95, 0x95], [0x9f, 0x9f], [0xa3, 0xa3]],
  [8, [0x8b, 0xa6], [0xa8, 0xab], [0xae, 0xbf], [0x0e, 0x0e], [0x11, 0x11]],
  [4, [0x28, 0x35], [0x6c, 0x6c], [0x7e, 0x7e], [0x67, 0x69], [0x79, 0x7b], [0x5b, 0x66]],
  [2, [0x0d, 0x0d]],
];
const weightOf = (opcode: number): number =>
  weights.find(([, ...ranges]) => ranges.some(([from, to]) => opcode >= from && opcode <= to))?.[0] ?? 1;

type Frame = {
  readonly kind: 'function' | 'loop' | 'block';
  /** Number of instructions since the last check, for each path to the label. */
  readonly ways: number[];
  /** Start of the false branch of an `if`. */
  other: number;
  /** Called with the cost of the check at the start of a loop or function. */
  readonly settle: (cost: number) => void;
};

/** The control flow paths of a body, with the maximum number of instructions executed since a check. */
const createFlow = () => {
  const frames: Frame[] = [];
  let since = 0;
  const wayTo = (depth: number): void => void frames.at(-1 - depth)?.ways.push(since);
  const end = (): void => {
    const frame = frames.pop();
    if (frame === undefined) return;
    const { kind, ways, other } = frame;
    if (kind === 'block') since = Math.max(since, other, ...ways);
    else frame.settle(1 + Math.floor(Math.max(0, ...ways, ...(kind === 'function' ? [since] : [])) / rate));
  };
  return {
    since: () => since,
    count: (instructions: number) => {
      since += instructions;
    },
    restart: () => {
      since = 0;
    },
    open: (kind: Frame['kind'], settle: Frame['settle'], other = 0) => {
      frames.push({ kind, ways: kind === 'loop' ? [since] : [], other, settle });
      if (kind !== 'block') since = 0;
    },
    otherSide: () => {
      wayTo(0);
      const frame = frames.at(-1);
      since = frame?.other ?? 0;
      if (frame !== undefined) frame.other = 0;
    },
    branch: (depths: readonly number[], goesOn: boolean) => {
      for (const depth of depths) wayTo(depth);
      if (!goesOn) since = 0;
    },
    leave: () => {
      wayTo(frames.length - 1);
      since = 0;
    },
    end,
  };
};

const nothing = (): void => {};

/**
 * A reference implementation of crates/crypto/src/module.rs for tests. Written for readability, for valid
 * code, one instruction at a time.
 */
export const patchCodeByReference: ModuleCode['patchCode'] = (code, checks) => {
  const leb = createLeb(code, 0);
  let usesMemorySize = false;
  const patchBody = (start: number, end: number): Uint8Array => {
    leb.seek(start);
    skipLebs(leb, leb.u32() * 2);
    const parts = [code.subarray(start, leb.at())];
    const flow = createFlow();
    const fuel = (cost: number): ((cost: number) => void) => {
      const own = Uint8Array.of(cost);
      parts.push(checks.fuel[0], own, checks.fuel[1]);
      return (settled) => {
        own[0] = settled;
      };
    };
    flow.open('function', fuel(1));
    while (leb.at() < end) {
      if (flow.since() >= stretch) {
        fuel(Math.floor(flow.since() / rate));
        flow.restart();
      }
      const from = leb.at();
      const opcode = leb.u8();
      flow.count(weightOf(opcode) * (end - start < large ? 1 : 4));
      if (opcode === 0x0c || opcode === 0x0d) flow.branch([leb.u32()], opcode === 0x0d);
      else if (opcode === 0x0e) flow.branch(Array.from({ length: leb.u32() + 1 }, leb.u32), false);
      else if (opcode === 0x43) leb.skip(4);
      else if (opcode === 0x44) leb.skip(8);
      else skipLebs(leb, countOf(opcode));
      const instruction = code.subarray(from, leb.at());
      if (opcode === 0x40) parts.push(checks.grow);
      parts.push(instruction);
      if (opcode === 0x00) flow.restart();
      else if (opcode === 0x02) flow.open('block', nothing);
      else if (opcode === 0x03) flow.open('loop', fuel(1));
      else if (opcode === 0x04) flow.open('block', nothing, flow.since());
      else if (opcode === 0x05) flow.otherSide();
      else if (opcode === 0x0b) flow.end();
      else if (opcode === 0x0f) flow.leave();
      usesMemorySize ||= opcode === 0x3f || opcode === 0x40;
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
  return { bytes: concatBytes(...bodies), usesMemorySize };
};
