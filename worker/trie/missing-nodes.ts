/**
 * Thrown when a read needs trie nodes that are not in memory (DESIGN §4 State); load them and run again.
 * It is thrown through Wasm frames on a hot path, so it carries no stack.
 */
export class MissingNodes extends Error {
  readonly hashes: readonly Uint8Array[];
  constructor(hashes: readonly Uint8Array[]) {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super('Trie nodes are not in memory');
    Error.stackTraceLimit = limit;
    this.name = 'MissingNodes';
    this.hashes = hashes;
  }
}
