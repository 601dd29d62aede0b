/** The result of `load`, loaded again when the state it reads changes and when `again` is called. */
export const createTries = <T>(load: () => Promise<T>) => {
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
