/** What has come in of one client's request that is not whole yet. */
export type Incoming = {
  add(bytes: number): void;
  /** The request is whole, or its client is gone. */
  clear(): void;
};

/**
 * Bounds what requests in parts, of all clients together, may hold: each client's own limit leaves gigabytes
 * to many.
 */
export type Intake = {
  /** `letGo` ends the client; called when all hold too much and this one the most. */
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
