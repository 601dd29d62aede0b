import { NodeError } from '../../src/protocol/errors.ts';
import type { Core } from './core.ts';

/** The code to insert. None of it changes the stack. */
export type Checks = {
  /**
   * The code before and after the one-byte cost: for function entries and loop headers, and within long
   * stretches.
   */
  readonly fuel: readonly [before: Uint8Array, after: Uint8Array];
  /** Inserted before each `memory.grow`. */
  readonly grow: Uint8Array;
  /** Inserted before instructions that copy or fill as many bytes as the number on top of the stack. */
  readonly bytes: Uint8Array;
  /** The same for table items. */
  readonly items: Uint8Array;
};

export type PatchedCode = {
  /** Content of the code section. */
  readonly bytes: Uint8Array;
  /** The code reads or changes its memory size, so it can observe the instance's current size. */
  readonly usesMemorySize: boolean;
  /** The code changes tables or segments, so only a fresh instance is in its initial state. */
  readonly needsFreshInstance: boolean;
};

export type ModuleCode = {
  /** The contents of a module's code section with the checks inserted. Throws `BadCode`. */
  patchCode(code: Uint8Array, checks: Checks): PatchedCode;
};

/** The error codes of crates/crypto/src/module.rs for code that it refuses. */
const faults: Readonly<Record<number, (opcode: string) => string>> = {
  1: () => 'A function body of the module runs past its end',
  2: (opcode) => `Instruction 0x${opcode} is not supported`,
  3: (opcode) => `Instruction 0xfc 0x${opcode} is not supported`,
  4: () => 'The module has more loops and functions than a node can count',
};

const u32 = (value: number): Uint8Array => new Uint8Array(Uint32Array.of(value).buffer);

/** A separate instance for each module, because memory that has grown never shrinks. */
export const createModuleCode = (takeCore: (keeps: boolean) => Core): ModuleCode => ({
  patchCode: (code, { fuel, grow, bytes, items }) => {
    const core = takeCore(false);
    const checks = [...fuel, grow, bytes, items].flatMap((check) => [u32(check.length), check]);
    const length = core.put(...checks, code);
    const done = core.calls.patch_code(length) === 1;
    const answer = new DataView(core.read(10).buffer);
    if (!done) {
      const describe = faults[answer.getUint8(0)] as (opcode: string) => string;
      throw new NodeError('BadCode', describe(answer.getUint32(1, true).toString(16)));
    }
    return {
      bytes: new Uint8Array(core.calls.memory.buffer, answer.getUint32(0, true), answer.getUint32(4, true)),
      usesMemorySize: answer.getUint8(8) === 1,
      needsFreshInstance: answer.getUint8(9) === 1,
    };
  },
});
