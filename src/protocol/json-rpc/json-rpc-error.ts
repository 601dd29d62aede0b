/** An error returned by the node, with its JSON-RPC code and data. All other errors are NodeErrors. */
export class JsonRpcError extends Error {
  readonly code: number;
  readonly data: unknown;
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = 'JsonRpcError';
    this.code = code;
    this.data = data;
  }
}

/**
 * The error of a response, which may lack what it should have. Never throws: a member that is an object cannot always
 * be converted to a text.
 */
export const toJsonRpcError = (error: unknown): JsonRpcError => {
  const { code, message, data } = (error ?? {}) as Readonly<Record<string, unknown>>;
  const text = typeof message === 'string' ? message : 'Unknown error';
  return new JsonRpcError(typeof code === 'number' ? code : -32603, text, data);
};
