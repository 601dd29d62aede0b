/** The promise of `load`, which is called again when the state it reads changes or on `again`. */
export const createRetry = <T>(load: () => Promise<T>) => {
  let turn = $state(0);
  const loading = $derived.by(() => {
    void turn;
    return load();
  });
  return {
    get loading(): Promise<T> {
      return loading;
    },
    again(): void {
      turn += 1;
    },
  };
};
