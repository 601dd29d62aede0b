import { NodeError } from '../../../src/protocol/errors.ts';
import type { Connection, ConnectOptions, StreamEndReason } from './connection.ts';

const reasons: Readonly<Record<StreamEndReason, string>> = {
  refused: 'The other node does not know this protocol',
  ended: 'The other node has not answered the request',
  reset: 'The other node has aborted the request',
  bad: 'The response of the other node is malformed or too large',
  timeout: 'The other node has not answered the request in time',
  full: 'Too many streams are open to this node; retry when others have ended',
  closed: 'The connection to the other node has ended',
};

const failure = (reason: StreamEndReason): NodeError =>
  new NodeError('PeerFailed', reasons[reason], { details: { reason } });

/** Requests over a connection: a stream each, which ends with the response. */
export const createRequest =
  (open: Connection['open'], schedule: ConnectOptions['schedule']): Connection['request'] =>
  (names, message, { maxBytes, timeoutMs, priority = 'announce' }) =>
    new Promise((resolve, reject) => {
      let isAnswered = false;
      const stream = open(
        names,
        { maxMessageBytes: maxBytes, priority, timeoutMs, ...(message === null ? {} : { first: message }) },
        {
          message: (response) => {
            if (isAnswered) stream.reset();
            isAnswered = true;
            resolve(response);
          },
          end: (reason) => {
            cancel();
            reject(failure(reason));
          },
        },
      );
      // Also ends a stream that stays open after the response.
      const cancel = schedule(timeoutMs, () => {
        reject(failure('timeout'));
        stream.reset();
      });
      stream.close();
    });
