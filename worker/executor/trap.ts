/** How a runtime call failed, as `CallResult` reports it. */
export type TrapKind = 'trap' | 'fuel' | 'memory' | 'missingExport';

/** Thrown by host functions to end the running Wasm call; the executor turns it into a value. */
export class Trap extends Error {
  readonly kind: TrapKind;
  constructor(message: string, kind: TrapKind = 'trap') {
    super(message);
    this.name = 'Trap';
    this.kind = kind;
  }
}
