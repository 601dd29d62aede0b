import type { MethodDocs } from '../define.ts';

export const trafficDocs = {
  dev_subscribeTraffic: {
    doc: "Reports the JSON-RPC messages of the node's other clients, in batches, each text truncated to `text_limit` characters (default 2000, at most 16777216); with `own` also those of this connection. Secret parameters are hidden, and notifications of this subscription are left out. Messages beyond the size of a batch (1000 messages; 1 MiB of text, or twice `text_limit`) are counted in `dropped`.",
    example: { text_limit: 500, own: true },
  },
} satisfies MethodDocs;
