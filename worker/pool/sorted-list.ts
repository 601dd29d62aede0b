/** Items in the order of `compare`, a total order: two items are equal only if they are identical. */
export type SortedList<T> = {
  readonly size: number;
  insert(item: T): void;
  /** Returns whether the item was present. */
  remove(item: T): boolean;
  removeAll(gone: ReadonlySet<T>): void;
  first(): T | undefined;
  at(index: number): T | undefined;
  /** The current items. The array is never modified; taking it costs nothing until the next change. */
  snapshot(): readonly T[];
};

/** A sorted array. Look-ups are logarithmic, and moving a few thousand references is faster than any tree. */
export const createSortedList = <T>(compare: (a: T, b: T) => number): SortedList<T> => {
  let items: T[] = [];
  let isShared = false;
  const own = (): T[] => {
    if (isShared) items = items.slice();
    isShared = false;
    return items;
  };
  const lowerBound = (item: T): number => {
    let low = 0;
    let high = items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(items[middle] as T, item) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    get size() {
      return items.length;
    },
    insert: (item) => {
      const at = lowerBound(item);
      if (at === items.length) own().push(item);
      else own().splice(at, 0, item);
    },
    remove: (item) => {
      const at = lowerBound(item);
      if (at === items.length || compare(items[at] as T, item) !== 0) return false;
      own().splice(at, 1);
      return true;
    },
    removeAll: (gone) => {
      items = items.filter((item) => !gone.has(item));
      isShared = false;
    },
    first: () => items[0],
    at: (index) => items[index],
    snapshot: () => {
      isShared = true;
      return items;
    },
  };
};
