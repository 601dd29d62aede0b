/** What the other side sent breaks a protocol. The message is a sentence. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}
