/** How a runtime call failed, as reported by `CallResult`. */
export type TrapKind = 'trap' | 'fuel' | 'memory' | 'missingExport';

/** Thrown by host functions to abort the running Wasm call. The executor returns it as a value. */
export class Trap extends Error {
  readonly kind: TrapKind;
  constructor(message: string, kind: TrapKind = 'trap') {
    super(message);
    this.name = 'Trap';
    this.kind = kind;
  }
}

/** An access beyond the current end of the memory, where a native node may have memory already. */
export class OutsideMemory extends Trap {}
