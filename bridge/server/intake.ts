/** The number of bytes received of one client's incomplete request. */
export type Incoming = {
  add(bytes: number): void;
  /** Called when the request is complete or its client has disconnected. */
  clear(): void;
};

/**
 * Bounds the memory held by the incomplete requests of all clients. Per-client limits alone would still allow
 * gigabytes.
 */
export type Intake = {
  /**
   * `letGo` must disconnect the client. It is called if the total exceeds the limit and this client holds the
   * most.
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
