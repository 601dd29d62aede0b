/** The bytes received so far of one client's incomplete request. */
export type Incoming = {
  add(bytes: number): void;
  /** The request is complete, or its client is gone. */
  clear(): void;
};

/**
 * Bounds the memory that incomplete requests of all clients together may hold, because per-client limits
 * alone would still allow gigabytes.
 */
export type Intake = {
  /**
   * `letGo` disconnects the client. It is called when all clients together hold too much and this one holds
   * the most.
   */
  open(letGo: () => void): Incoming;
};

const defaultMaxBytes = 256 * 1024 * 1024;

export const createIntake = (maxBytes = defaultMaxBytes): Intake => {
  const held = new Map<() => void, number>();
  let all = 0;
  const drop = (letGo: () => void): void => {
    all -= held.get(letGo) ?? 0;
    held.delete(letGo);
  };
  return {
    open: (letGo) => {
      const own = (): void => letGo();
      return {
        add: (bytes) => {
          held.set(own, (held.get(own) ?? 0) + bytes);
          all += bytes;
          if (all <= maxBytes) return;
          const [[most]] = [...held].sort(([, a], [, b]) => b - a) as [[() => void, number]];
          drop(most);
          most();
        },
        clear: () => drop(own),
      };
    },
  };
};
