import { NodeError, nameFault } from '../../src/protocol/errors.ts';
import { isOriginFault, isUnavailable } from '../chain/refusal.ts';

/** Most errors carry details as a string in `data`; the groups of the new specification use members. */
export type RpcErrorData = {
  readonly code: number;
  readonly message: string;
  readonly data?: string | { readonly variant: string };
};

/** An error with its JSON-RPC number, thrown by a method. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: RpcErrorData['data'];
  constructor(code: number, message: string, data?: RpcErrorData['data']) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

/** Envelope errors. */
export const parseError: RpcErrorData = { code: -32700, message: 'Parse error' };
export const invalidRequest: RpcErrorData = { code: -32600, message: 'Invalid request' };
export const methodNotFound: RpcErrorData = { code: -32601, message: 'Method not found' };
export const deniedUnsafe: RpcErrorData = {
  code: -32601,
  message: 'RPC call is unsafe to be called externally',
};
/** Returned for subscriptions over a transport without notifications, among others. */
export const internalError: RpcErrorData = { code: -32603, message: 'Internal error' };
export const invalidParams = (data: string): RpcErrorData => ({
  code: -32602,
  message: 'Invalid params',
  data,
});
const limited = (code: number, message: string, limit: number): RpcErrorData => ({
  code,
  message,
  data: `Exceeded max limit of ${limit}`,
});
export const tooManySubscriptions = (limit: number): RpcErrorData =>
  limited(-32006, 'Too many subscriptions on the connection', limit);
export const requestTooBig = (limit: number): RpcErrorData => limited(-32007, 'Request is too big', limit);
export const tooManyValues = (limit: number): RpcErrorData =>
  limited(-32007, 'The request has too many values', limit);
export const responseTooBig = (limit: number): RpcErrorData => limited(-32008, 'Response is too big', limit);
export const batchTooLarge = (limit: number): RpcErrorData =>
  limited(-32010, 'The batch request was too large', limit);
export const batchResponseTooLarge = (limit: number): RpcErrorData =>
  limited(-32011, 'The batch response was too large', limit);
export const rateExceeded: RpcErrorData = { code: -32999, message: 'RPC rate limit exceeded' };
export const serverBusy: RpcErrorData = { code: -32009, message: 'Server is busy, try again later' };
export const noBatches: RpcErrorData = {
  code: -32005,
  message: 'Batched requests are not supported by this server',
};

/** The kind of look-up that failed; the SDK's error texts depend on it. */
export type LookUp = 'state' | 'api' | 'call';

/** The text after `Client error: ` for a block or state that does not exist. */
export const lookUpText = (error: NodeError, how: LookUp, hash: string): string => {
  const isDiscarded = error.code === 'StateDiscarded';
  const why = isDiscarded
    ? `State already discarded for ${hash}`
    : `Header was not found in the database: ${hash}`;
  if (how === 'api') return `Api called for an unknown Block: ${why}`;
  if (how === 'call' && !isDiscarded) return `UnknownBlock: Expect block number from id: Hash(${hash})`;
  return `UnknownBlock: ${why}`;
};

const namespaceBase: Readonly<Record<string, number>> = {
  author: 1040,
  chain: 3002,
  state: 4003,
  childstate: 4003,
};

/** The only conversion from an exception to a JSON-RPC error. `method` determines the namespace's number. */
export const errorToRpc = (thrown: unknown, method: string): RpcErrorData => {
  const error = nameFault(thrown);
  if (error instanceof RpcError) {
    const { code, message, data } = error;
    return data === undefined ? { code, message } : { code, message, data };
  }
  if (!(error instanceof NodeError))
    return { ...internalError, data: error instanceof Error ? error.message : String(error) };
  // Development methods name the node's own code, whichever handler lets an error through.
  if (method.startsWith('dev_')) return { code: 1, message: error.message, data: error.code };
  const code = namespaceBase[method.slice(0, method.indexOf('_'))];
  if (code === undefined) return { ...internalError, data: error.message };
  const prefix = isUnavailable(error) ? 'UnknownBlock: ' : '';
  const message = `Client error: ${prefix}${error.message}`;
  // Native nodes have no such error, so it can have the node's own code.
  return isOriginFault(error) ? { code, message, data: error.code } : { code, message };
};
