/** For `vi.mock('svelte/reactivity', …)`: outside a component nothing subscribes, so this subscribes on the first read. */
export const createSubscriber = (start: () => () => void) => {
  let isOn = false;
  return (): void => {
    if (isOn) return;
    isOn = true;
    start();
  };
};
