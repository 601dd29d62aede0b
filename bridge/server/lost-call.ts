import { type Ids, writeErrors } from '../../src/protocol/read-ids.ts';

/** JSON-RPC's code for errors of a server; `data` is the node's own code for them (`errorCodes`). */
const serverError = -32000;

/** Why a call has no response from the node; over HTTP, with a gateway status. */
export class LostCall extends Error {
  readonly status: 503 | 504;
  constructor(status: 503 | 504, message: string) {
    super(message);
    this.name = 'LostCall';
    this.status = status;
  }
}

export const goneText = 'The page that runs this node is gone';
export const closedText = 'The page that runs this node ended this connection';
export const lateText = 'The page that runs this node does not respond';
export const busyText = 'The page that runs this node has too many requests to read';

/** The responses to the calls of one text. Without ids it could not be read as calls, and gets one without an id. */
export const writeLostText = (ids: Ids, message: string): string =>
  writeErrors(ids, { code: serverError, message, data: 'Disconnected' });
