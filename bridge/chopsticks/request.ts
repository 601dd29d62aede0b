/** A JSON-RPC call of the node, before it is served. */
export type Request = (method: string, params: readonly unknown[]) => Promise<unknown>;
