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
