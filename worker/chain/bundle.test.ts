import { describe, expect, it } from 'vitest';
import { encodeEngineItem } from '../codec/digest.ts';
import { continuesBundle, readBundlePlace } from './bundle.ts';

const preRuntime = (...data: readonly number[]): Uint8Array =>
  encodeEngineItem('preRuntime', 'CMLS', Uint8Array.from(data));
const consensus = (engine: string, ...data: readonly number[]): Uint8Array =>
  encodeEngineItem('consensus', engine, Uint8Array.from(data));
const hash = (byte: number): number[] => Array.from({ length: 32 }, () => byte);

const core = preRuntime(1, 5, 2, 3 << 2);
const place = (index: number): Uint8Array => preRuntime(2, index, 0);
const relay = consensus('CMLS', 0, ...hash(7));
const whole = [core, place(4), relay];

describe('the place of a block in a bundle', () => {
  it('is its core, its index and its relay block', () => {
    const found = readBundlePlace([preRuntime(9), ...whole, consensus('aura', 1)]);
    expect(found).toMatchObject({ index: 4 });
    expect(found).toEqual(readBundlePlace([relay, place(4), core]));
  });

  it('names the relay block by its hash or by its state root, whichever comes first', () => {
    const root = consensus('RPSR', ...hash(8), 0x15, 0x01);
    const both = readBundlePlace([core, place(0), root, relay]);
    expect(both).toEqual(readBundlePlace([core, place(0), root]));
    expect(both).not.toEqual(readBundlePlace([core, place(0), relay]));
  });

  it.each([
    ['no core', [place(4), relay]],
    ['no index', [core, relay]],
    ['no relay block', [core, place(4)]],
    ['a core with bytes after it', [preRuntime(1, 5, 2, 3 << 2, 0), place(4), relay]],
    ['more cores than a u16 counts', [preRuntime(1, 5, 2, 2, 0, 4, 0), place(4), relay]],
    ['a core that the runtime wrote', [consensus('CMLS', 1, 5, 2, 3 << 2), place(4), relay]],
    ['an index that is cut off', [core, preRuntime(2, 4), relay]],
    ['a last block that is neither', [core, preRuntime(2, 4, 2), relay]],
    ['a relay block from before the runtime', [core, place(4), preRuntime(0, ...hash(7))]],
    ['a relay hash that is cut off', [core, place(4), consensus('CMLS', 0, ...hash(7).slice(1))]],
    ['a relay root without a number', [core, place(4), consensus('RPSR', ...hash(7))]],
    ['nothing', []],
  ])('is not known with %s', (_, digest) => {
    expect(readBundlePlace(digest)).toBeNull();
  });

  it.each([
    ['the next index', [core, place(5), relay], true],
    ['the same index', whole, false],
    ['an index further', [core, place(6), relay], false],
    ['another core', [preRuntime(1, 6, 2, 3 << 2), place(5), relay], false],
    ['another offset', [preRuntime(1, 5, 3, 3 << 2), place(5), relay], false],
    ['another number of cores', [preRuntime(1, 5, 2, 4 << 2), place(5), relay], false],
    ['another relay block', [core, place(5), consensus('CMLS', 0, ...hash(6))], false],
    ['a relay block named otherwise', [core, place(5), consensus('RPSR', ...hash(7), 0)], false],
  ])('of a child with %s: it continues the bundle: %s', (_, digest, expected) => {
    const [parent, child] = [readBundlePlace(whole), readBundlePlace(digest)];
    expect(parent !== null && child !== null && continuesBundle(parent, child)).toBe(expected);
  });

  it('an index of 255 continues itself, because it does not wrap', () => {
    const last = readBundlePlace([core, place(255), relay]);
    expect(last !== null && continuesBundle(last, last)).toBe(true);
  });
});
