/**
 * Tests in Node.js that change their process for whoever comes after, as they replace modules or set the environment: each gets a
 * process of its own. All others share two, because starting one and loading the modules again takes half a second for each file.
 */
export const alone: readonly string[] = [
  'bridge/pages/through-bridge.test.ts',
  'test/native/random-blocks.test.ts',
  'test/network/misbehavior.test.ts',
  'ui/kit/controls/parts.test.ts',
  'ui/node/chain-view.branches.test.ts',
  'ui/node/chain-view.final.test.ts',
  'ui/node/chain-view.rest.test.ts',
  'worker/chain/kill-steps.test.ts',
];

/** Whether the text of a test changes its process for good. Stubs of Vitest and timers are undone, or harm nobody. */
export const changesProcess = (text: string): boolean =>
  /\bvi\.(mock|doMock)\(|\bprocess\.env(\.\w+|\[[^\]]+\]) = /.test(text);
