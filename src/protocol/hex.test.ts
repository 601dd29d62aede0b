import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { bytesToDigits } from './hex.ts';

it('keeps a hash in Node.js as one text, not as a chain of its digits', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heapUsed = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const count = 20_000;
  const hash = new Uint8Array(32);
  const kept = new Array<string>(count).fill('');
  const before = heapUsed();
  for (let at = 0; at < count; at++) {
    new DataView(hash.buffer).setUint32(0, at);
    kept[at] = bytesToDigits(hash);
  }
  expect((heapUsed() - before) / count).toBeLessThan(200);
  expect(new Set(kept).size).toBe(count);
});
