import { blake2b } from '@noble/hashes/blake2.js';
import { describe, expect, it } from 'vitest';
import { textToBytes } from '../bytes/bytes.ts';
import { bytesToHex } from '../bytes/hex.ts';
import { createNodeMap, type NodeMap } from '../trie/node-source.ts';
import { type Backend, childKey, createBackend, createEmptyBackend } from './backend.ts';
import { mainChanges } from './changes.ts';
import { createOverlay, type Overlay } from './overlay.ts';

const blake2b256 = (data: Uint8Array): Uint8Array => blake2b(data, { dkLen: 32 });
const t = textToBytes;
const b = (...bytes: number[]): Uint8Array => Uint8Array.from(bytes);

const stateOf = (pairs: Record<string, string>): { backend: Backend; source: NodeMap } => {
  const source = createNodeMap();
  const changes = mainChanges(Object.entries(pairs).map(([key, value]) => [t(key), t(value)] as const));
  const { backend, nodes } = createEmptyBackend({ blake2b256, source }).commit(changes, 1);
  source.add(nodes);
  return { backend, source };
};
const overlayOf = (pairs: Record<string, string> = {}): Overlay => createOverlay(stateOf(pairs).backend);

describe('append', () => {
  it('starts a vector if the value is missing, empty, or not a vector', () => {
    for (const start of [null, b(), b(1), b(2, 0), b(0xff), b(7, 1, 2, 3, 4), b(1, 0)]) {
      const overlay = overlayOf();
      if (start !== null) overlay.set(t('e'), start);
      overlay.append(t('e'), b(9, 9));
      expect(overlay.get(t('e'))).toEqual(b(4, 9, 9));
    }
  });

  it('grows the count from one to two to four bytes', () => {
    const overlay = overlayOf();
    for (let i = 0; i < 63; i++) overlay.append(t('e'), b(1));
    expect(overlay.get(t('e'))).toEqual(b(63 << 2, ...new Array(63).fill(1)));
    overlay.append(t('e'), b(1));
    expect(overlay.get(t('e'))?.subarray(0, 2)).toEqual(b(1, 1));
    for (let i = 64; i < 0x4000; i++) overlay.append(t('e'), b(1));
    expect(overlay.get(t('e'))?.subarray(0, 4)).toEqual(b(2, 0, 1, 0));
    expect(overlay.get(t('e'))?.length).toBe(0x4000 + 4);
  });

  it('restores count and items on rollback, also after a set or clear between', () => {
    const overlay = overlayOf();
    overlay.append(t('e'), b(1));
    overlay.startTransaction();
    overlay.append(t('e'), b(2));
    overlay.startTransaction();
    overlay.clear(t('e'));
    overlay.append(t('e'), b(3));
    expect(overlay.get(t('e'))).toEqual(b(4, 3));
    overlay.rollbackTransaction();
    expect(overlay.get(t('e'))).toEqual(b(8, 1, 2));
    overlay.rollbackTransaction();
    expect(overlay.get(t('e'))).toEqual(b(4, 1));
    overlay.append(t('e'), b(5));
    expect(overlay.get(t('e'))).toEqual(b(8, 1, 5));
  });

  it('takes less than quadratic time', () => {
    const overlay = overlayOf();
    const item = new Uint8Array(100);
    const started = performance.now();
    for (let i = 0; i < 50_000; i++) overlay.append(t('e'), item);
    expect(performance.now() - started).toBeLessThan(8_000);
    expect(overlay.get(t('e'))?.length).toBe(5_000_004);
  }, 20_000);
});

describe('prefix removal', () => {
  const pairs = { a: '1', p1: '1', p2: '2', p3: '3', q: '4' };
  /** The results of a prefix removal: [cursor, backend, unique, loops]. */
  const removed = (
    overlay: Overlay,
    prefix: string,
    limit: number | null,
    from?: string,
  ): readonly unknown[] => {
    const { cursor, backend, unique, loops } = overlay.clearPrefix(
      t(prefix),
      limit,
      from === undefined ? null : t(from),
    );
    return [cursor === null ? null : new TextDecoder().decode(cursor), backend, unique, loops];
  };

  it('refuses prefixes that reach the child roots', () => {
    const overlay = overlayOf(pairs);
    for (const prefix of ['', ':', ':child', ':child_storage:', ':child_storage:default:x'])
      expect(removed(overlay, prefix, null)).toEqual([null, 0, 0, 0]);
    expect(overlay.changes().main).toEqual([]);
  });

  it('counts committed keys only, visits them regardless of the overlay, and stops at the limit', () => {
    const overlay = overlayOf(pairs);
    overlay.set(t('p0'), t('new'));
    overlay.clear(t('p1'));
    expect(removed(overlay, 'p', 2)).toEqual(['p3', 1, 2, 2]);
    expect(overlay.get(t('p0'))).toBeNull();
    expect(overlay.get(t('p3'))).toEqual(t('3'));
    expect(removed(overlay, 'p', 2)).toEqual(['p3', 0, 0, 2]);
    expect(removed(overlay, 'p', 2, 'p3')).toEqual([null, 1, 1, 1]);
    expect(overlay.nextKey(t('a'))).toEqual(t('q'));
  });

  it('removes nothing from the committed state with limit 0', () => {
    const overlay = overlayOf(pairs);
    overlay.set(t('p2'), t('x'));
    expect(removed(overlay, 'p', 0)).toEqual(['p1', 0, 1, 0]);
    expect(overlay.get(t('p2'))).toBeNull();
    expect(overlay.get(t('p1'))).toEqual(t('1'));
  });
});

describe('child tries', () => {
  it('refuses direct writes of child keys', () => {
    const overlay = overlayOf();
    overlay.set(t(':child_storage:default:x'), b(1));
    overlay.clear(t(':child_storage:default:x'));
    expect(overlay.changes().main).toEqual([]);
  });

  it('writes the root to the main trie on request and at commit; an emptied child is removed', () => {
    const { backend, source } = stateOf({ a: '1' });
    const overlay = createOverlay(backend);
    const empty = overlay.childRoot(t('x'), 1);
    expect(empty).toEqual(backend.emptyRoot);
    overlay.childSet(t('x'), t('k'), t('v'));
    expect(overlay.get(childKey(t('x')))).toBeNull();
    const root = overlay.childRoot(t('x'), 1);
    expect(overlay.get(childKey(t('x')))).toEqual(root);
    overlay.childSet(t('x'), t('k2'), t('v2'));
    const committed = overlay.commit(1);
    source.add(committed.nodes);
    const reopened = createBackend({ blake2b256, source }, overlay.root(1));
    expect(reopened.childGet(t('x'), t('k2'))).toEqual(t('v2'));
    expect(reopened.get(childKey(t('x')))).not.toEqual(root);
    const keys: Uint8Array[] = [];
    const all = { prefix: b(), start: null, inclusive: true };
    reopened.childVisitKeys(t('x'), all, (key) => keys.push(key) > 0);
    expect(keys).toEqual([t('k'), t('k2')]);

    const second = createOverlay(committed.backend);
    second.childSet(t('x'), t('k3'), t('v'));
    expect(second.childKill(t('x'), null, null)).toEqual({ cursor: null, backend: 2, unique: 3, loops: 2 });
    expect(second.childNextKey(t('x'), b())).toBeNull();
    expect(bytesToHex(second.childRoot(t('x'), 1))).toBe(bytesToHex(backend.emptyRoot));
    expect(second.commit(1).backend.root).toEqual(backend.root);
    expect(second.commit(1).backend.get(childKey(t('x')))).toBeNull();
  });
});

describe('transactions and offchain index', () => {
  it('returns false if none is open', () => {
    const overlay = overlayOf();
    expect(overlay.rollbackTransaction()).toBe(false);
    expect(overlay.commitTransaction()).toBe(false);
    overlay.startTransaction();
    expect(overlay.depth()).toBe(1);
    expect(overlay.commitTransaction()).toBe(true);
  });

  it('drops offchain index writes with their layer', () => {
    const overlay = overlayOf();
    overlay.offchainIndexSet(t('a'), t('1'));
    overlay.startTransaction();
    overlay.offchainIndexSet(t('b'), t('2'));
    overlay.offchainIndexClear(t('a'));
    expect(overlay.changes().offchain).toEqual([
      [t('a'), null],
      [t('b'), t('2')],
    ]);
    overlay.rollbackTransaction();
    expect(overlay.changes().offchain).toEqual([[t('a'), t('1')]]);
  });

  it('copies keys, so that the caller may reuse its memory', () => {
    const overlay = overlayOf({ k: 'v' });
    const key = t('k');
    overlay.get(key);
    overlay.set(key, t('w'));
    key[0] = 1;
    expect(overlay.get(t('k'))).toEqual(t('w'));
    expect(overlay.changes().main).toEqual([[t('k'), t('w')]]);
  });
});

describe('state versions', () => {
  it('keeps an untouched inline value inline under V1, and hashes a rewritten one', () => {
    const long = 'x'.repeat(40);
    const source = createNodeMap();
    const empty = createEmptyBackend({ blake2b256, source });
    const v0 = empty.commit(
      mainChanges([
        [t('a1'), t(long)],
        [t('a2'), t(long)],
      ]),
      0,
    ).backend;
    const touched = createOverlay(v0);
    touched.set(t('b'), t('1'));
    const other = touched.root(1);
    const v0WithB = createOverlay(v0);
    v0WithB.set(t('b'), t('1'));
    expect(v0WithB.root(0)).toEqual(other);
    const moved = createOverlay(v0);
    moved.set(t('a1'), t(long));
    moved.set(t('a2'), t(long));
    expect(moved.root(0)).toEqual(v0.root);
    expect(moved.root(1)).toEqual(
      empty.commit(
        mainChanges([
          [t('a1'), t(long)],
          [t('a2'), t(long)],
        ]),
        1,
      ).backend.root,
    );
  });
});

describe('steps of a walk that writes', () => {
  const keyOf = (index: number): Uint8Array => t(`k${String(index).padStart(6, '0')}`);
  /** A state with so many keys, and the steps of writing each of them while walking from one to the next. */
  const walked = (keys: number) => {
    const changes = Array.from({ length: keys }, (_, index) => [keyOf(index), b(1)] as const);
    const source = createNodeMap();
    const { backend, nodes } = createEmptyBackend({ blake2b256, source }).commit(mainChanges(changes), 1);
    source.add(nodes);
    const overlay = createOverlay(backend);
    const walk = (): number => {
      const before = overlay.steps();
      let count = 0;
      for (let key = overlay.nextKey(b()); key !== null; key = overlay.nextKey(key)) {
        overlay.set(key, b(2));
        count++;
      }
      expect(count).toBe(keys);
      return overlay.steps() - before;
    };
    return { overlay, walk };
  };

  it('grow with the keys, not with their square', () => {
    const [few, many] = [walked(500), walked(4000)];
    expect(many.walk()).toBeLessThan(9 * few.walk());
  });

  it.each(['layer', 'transaction'] as const)('are no more after a %s that was rolled back', (kind) => {
    const { overlay, walk } = walked(2000);
    const attempt = (): number => {
      if (kind === 'layer') overlay.startLayer();
      else overlay.startTransaction();
      const steps = walk();
      if (kind === 'layer') overlay.endLayer(false);
      else overlay.rollbackTransaction();
      return steps;
    };
    const first = attempt();
    expect(attempt()).toBeLessThanOrEqual(first);
    expect(attempt()).toBeLessThanOrEqual(first);
    expect(overlay.changes().main).toEqual([]);
    walk();
    expect(overlay.changes().main).toHaveLength(2000);
  });
});
