import { parentPort } from 'node:worker_threads';
import { type ClaimsToVerify, verifyFor } from './signature-batch.ts';

// The worker of signature-helper.ts in Node.js.
parentPort?.on(
  'message',
  (message: ClaimsToVerify) => void verifyFor(message).then((verdict) => parentPort?.postMessage(verdict)),
);
