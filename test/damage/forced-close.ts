/**
 * Closes IndexedDB connections as a browser does that needs the memory or suspends the page ("close a database
 * connection", with the forced flag): their transactions are aborted, then each connection gets a `close` event.
 */
export const trackConnections = () => {
  const { transaction } = IDBDatabase.prototype;
  const handles = new Map<IDBDatabase, Set<IDBTransaction>>();
  let onTransaction = (_begun: IDBTransaction): void => undefined;
  IDBDatabase.prototype.transaction = function (...given) {
    const created = transaction.apply(this, given);
    const open = handles.get(this) ?? new Set();
    handles.set(this, open.add(created));
    for (const end of ['complete', 'abort']) created.addEventListener(end, () => open.delete(created));
    onTransaction(created);
    return created;
  };
  const forceClose = (handle: IDBDatabase, transactions: ReadonlySet<IDBTransaction>): void => {
    handles.delete(handle);
    handle.close();
    for (const one of transactions) {
      try {
        one.abort();
      } catch {
        // It is committing and will be complete.
      }
    }
    setTimeout(() => handle.dispatchEvent(new Event('close')), 0);
  };
  return {
    /** Closes every connection that was used; returns how many there were. */
    forceClose: (): number => {
      const all = [...handles];
      for (const [handle, transactions] of all) forceClose(handle, transactions);
      return all.length;
    },
    /** Closes all as soon as the next transaction of this mode has begun, `times` times in a row. */
    closeDuring: (mode: IDBTransactionMode, times = 1): Promise<void> =>
      new Promise((resolve) => {
        let left = times;
        let isDone = false;
        onTransaction = (begun) => {
          if (isDone) return;
          // One that is committing can no longer be aborted.
          begun.commit = () => undefined;
          if (begun.mode !== mode || left === 0) return;
          left -= 1;
          // After the requests were made, before their results.
          queueMicrotask(() => {
            for (const [handle, transactions] of [...handles]) forceClose(handle, transactions);
            if (left > 0) return;
            isDone = true;
            resolve();
          });
        };
      }),
    /** Closes the connections of the next transaction, and aborts it alone: those begun behind it are completed. */
    abortNext: (): void => {
      onTransaction = (begun) => {
        onTransaction = () => undefined;
        begun.commit = () => undefined;
        queueMicrotask(() => forceClose(begun.db, new Set([begun])));
      };
    },
    restore: (): void => {
      IDBDatabase.prototype.transaction = transaction;
    },
  };
};
