import { type ClaimsToVerify, verifyFor } from './signature-batch.ts';

// The worker of signature-helper.ts in a browser.
self.onmessage = ({ data }: MessageEvent<ClaimsToVerify>) =>
  void verifyFor(data).then((verdict) => self.postMessage(verdict));
