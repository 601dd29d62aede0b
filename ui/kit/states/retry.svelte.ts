/** The promise of `load`, which is called again when the state it reads changes or on `again`. */
export const createRetry = <T>(load: () => Promise<T>) => {
  let loading = $derived(load());
  return {
    get loading(): Promise<T> {
      return loading;
    },
    again(): void {
      loading = load();
    },
  };
};
