import { expect, it } from 'vitest';
import { Writer } from './writer.ts';

it.each([1, 2, 4, 64])(
  'finished bytes do not change when more is written (capacity %i bytes)',
  (capacity) => {
    const writer = new Writer(capacity).u16(0x0201);
    const first = writer.finish();
    const both = writer.u16(0x0403).finish();
    expect([...first]).toEqual([1, 2]);
    expect([...both]).toEqual([1, 2, 3, 4]);
    expect([...writer.u8(5).finish()]).toEqual([1, 2, 3, 4, 5]);
    expect([first.buffer.byteLength, both.buffer.byteLength]).toEqual([2, 4]);
  },
);
