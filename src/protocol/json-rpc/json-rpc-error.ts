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

/** The error of a response, which may lack what it should have. */
export const toJsonRpcError = (error: unknown): JsonRpcError => {
  const { code, message, data } = (error ?? {}) as Readonly<Record<string, unknown>>;
  return new JsonRpcError(typeof code === 'number' ? code : -32603, String(message ?? 'Unknown error'), data);
};
