import * as z from 'zod/mini';
import type { MethodResults } from '../define.ts';

/** One JSON-RPC message of a client, as seen by an operator. */
const messageResult = () =>
  z.object({
    kind: z.enum(['request', 'answer', 'notification', 'close']),
    /** Number of the connection, from 1 in the order they were opened. */
    connection: z.int(),
    transport: z.enum(['port', 'ws', 'http']),
    dialect: z.enum(['psp-6', 'polkadot-sdk']),
    /** Milliseconds since 1970. */
    atMs: z.number(),
    /** Links a request to its response; unlike an id it is never reused. */
    call: z.nullable(z.int()),
    /** The id of the request, as JSON. */
    id: z.nullable(z.string()),
    method: z.nullable(z.string()),
    subscription: z.nullable(z.string()),
    /** Time from the request to its response. */
    ms: z.nullable(z.number()),
    isError: z.boolean(),
    /** Length of the whole text in characters. */
    length: z.int(),
    /** The beginning of the text. */
    text: z.string(),
  });
const someId = 'b8ekQ4G2s1cZ0w7R';
const example = {
  connection: 2,
  transport: 'ws',
  dialect: 'polkadot-sdk',
  atMs: 1_700_000_000_000,
  call: null,
  id: null,
  ms: null,
  isError: false,
} as const;
const note = `{"jsonrpc":"2.0","method":"chain_newHead","params":{"subscription":"${someId}","result":{}}}`;

export const trafficResults = {
  dev_subscribeTraffic: {
    schema: z.object({ items: z.array(messageResult()), dropped: z.int() }),
    example: {
      items: [
        {
          ...example,
          kind: 'notification',
          method: 'chain_newHead',
          subscription: someId,
          length: note.length,
          text: note,
        },
      ],
      dropped: 0,
    },
  },
} satisfies MethodResults;
