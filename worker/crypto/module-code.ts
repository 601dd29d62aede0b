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
};

export type PatchedCode = {
  /** Content of the code section. */
  readonly bytes: Uint8Array;
  /** The code reads or changes its memory size, so it can observe the instance's current size. */
  readonly usesMemorySize: boolean;
};

/** Reads modules as the SDK does: WebAssembly 1.0, to its last byte (decision 57). */
export type ModuleCode = {
  /**
   * Whether native nodes can instantiate a module with a section of this content, besides reading it. For
   * sections other than custom ones and the code. Throws `BadCode` for content that the SDK does not read.
   */
  readSection(id: number, content: Uint8Array): boolean;
  /** Throws `BadCode` for the contents of a code section that the SDK does not read. */
  checkCode(code: Uint8Array): void;
  /** The contents of a module's code section with the checks inserted. Throws `BadCode` as `checkCode`. */
  patchCode(code: Uint8Array, checks: Checks): PatchedCode;
};

/** The error codes of crates/crypto/src/scan.rs for code that it refuses. */
const faults: Readonly<Record<number, (opcode: string) => string>> = {
  1: () => 'A function body of the module does not end where it should',
  2: (opcode) => `Instruction 0x${opcode} is not part of WebAssembly 1.0, in which runtimes are written`,
  3: () => 'A function body of the module has a malformed number or type',
  4: () => 'The module has more loops and functions than a node can count',
};

const throwFault = (core: Core): never => {
  const answer = new DataView(core.read(5).buffer);
  const describe = faults[answer.getUint8(0)] as (opcode: string) => string;
  throw new NodeError('BadCode', describe(answer.getUint32(1, true).toString(16)));
};

const u32 = (value: number): Uint8Array => new Uint8Array(Uint32Array.of(value).buffer);

/** A separate instance for each module, because memory that has grown never shrinks. */
export const createModuleCode = (takeCore: (isKept: boolean) => Core): ModuleCode => ({
  readSection: (id, content) => {
    const core = takeCore(true);
    const verdict = core.calls.read_section(id, core.put(content));
    if (verdict === 0) throw new NodeError('BadCode', `Section ${id} of the module is malformed`);
    return verdict === 1;
  },
  checkCode: (code) => {
    const core = takeCore(false);
    if (core.calls.check_code(core.put(code)) !== 1) throwFault(core);
  },
  patchCode: (code, { fuel, grow }) => {
    const core = takeCore(false);
    const checks = [...fuel, grow].flatMap((check) => [u32(check.length), check]);
    if (core.calls.patch_code(core.put(...checks, code)) !== 1) throwFault(core);
    const answer = new DataView(core.read(9).buffer);
    return {
      bytes: new Uint8Array(core.calls.memory.buffer, answer.getUint32(0, true), answer.getUint32(4, true)),
      usesMemorySize: answer.getUint8(8) === 1,
    };
  },
});
